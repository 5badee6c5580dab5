import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addServer, describeAdded } from '@pith-mcp/setup'

// A home of its own, so that nothing of yours is written.
const home = mkdtempSync(join(tmpdir(), 'home-'))
const around = { home, cwd: home, platform: process.platform, variables: {} }
const launch = { command: 'npx', args: ['-y', '@pith-mcp/docs-mcp', 'https://docs.example.org/'] }

const added = await addServer({ client: 'cursor', name: 'docs', launch, around })
console.log(describeAdded(added))
console.log(added.text)
