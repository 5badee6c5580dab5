import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { consoleFolder } from '@pith-mcp/console'

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  createReadStream(join(consoleFolder, 'index.html'))
    .on('error', () => response.end())
    .pipe(response)
})
server.listen(0, '127.0.0.1', () => server.close())
