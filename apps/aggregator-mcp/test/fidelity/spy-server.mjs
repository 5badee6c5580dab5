// An MCP server written on bare JSON-RPC, without an SDK that would repair or hide what passes.
// node spy-server.mjs --era legacy|modern (--stdio | --http PORT) --log FILE

import { speakHttp } from './spy/http.mjs'
import { openLog } from './spy/log.mjs'
import { speakStdio } from './spy/stdio.mjs'
import { worldOf } from './spy/world.mjs'

const option = (name) => process.argv[process.argv.indexOf(name) + 1]
const era = option('--era')
const log = openLog(option('--log'))
const world = worldOf()

log({ event: 'started', pid: process.pid, era })
if (process.argv.includes('--http')) speakHttp(era, Number(option('--http')), world, log)
else speakStdio(era, world, log)
