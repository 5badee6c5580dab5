import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addServer, describeAdded } from '@pith-mcp/setup'

// A temporary home folder, so that your own files are not changed.
const home = mkdtempSync(join(tmpdir(), 'home-'))
const host = { home, cwd: home, platform: process.platform, variables: {} }
const launch = { command: 'npx', args: ['-y', '@pith-mcp/docs-mcp', 'https://docs.example.org/'] }

const added = await addServer({ client: 'cursor', name: 'docs', launch, host })
console.log(describeAdded(added))
console.log(added.text)
