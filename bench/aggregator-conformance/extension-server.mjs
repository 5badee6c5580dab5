// The servers that the scenarios of extensions test, directly and behind aggregator-mcp: one with
// tasks (SEP-2663), on bare JSON-RPC of 2026-07-28, and one with the skills of the folder `skills`
// (SEP-2640).
//   node extension-server.mjs tasks --stdio
//   node extension-server.mjs tasks|skills --http PORT
import { fileURLToPath } from 'node:url'
import { serveSkillsHttp, serveTasksHttp, serveTasksStdio } from './extensions/serve.mjs'

const [what, mode, port] = process.argv.slice(2)
const folder = fileURLToPath(new URL('skills', import.meta.url))
if (what === 'tasks' && mode === '--stdio') serveTasksStdio()
else if (what === 'tasks' && mode === '--http' && port) await serveTasksHttp(Number(port))
else if (what === 'skills' && mode === '--http' && port) await serveSkillsHttp(Number(port), folder)
else {
  console.error('Use: node extension-server.mjs tasks --stdio | tasks|skills --http PORT')
  process.exit(2)
}
