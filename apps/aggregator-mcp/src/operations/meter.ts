import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import createLimit from 'p-limit'
import { z } from 'zod'
import { meterReport } from '../meter/report.ts'
import { atOf } from '../since.ts'
import { type Operation, operation } from './operation.ts'
import { ApiError } from './problem.ts'

/** Bytes of a report: thousands of tools. */
const maxBuffer = 16 * 1024 * 1024
/** Transcripts may be gigabytes: one process reads them, apart from the one that serves. */
const reading = createLimit(1)

export const meterOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/meter',
    summary:
      "Get what MCP results cost in sessions that clients on the aggregator's computer kept.",
    query: z.object({ since: z.string().default('7d').describe('As of /usage.') }),
    answer: meterReport,
    scope: 'console:admin',
    async run({ since }, { settings: { config, state } }, { signal }) {
      atOf(since, 'query.since')
      const own = [...config.flatMap((file) => ['--config', file])]
      own.push(...(state === false ? ['--no-state'] : ['--state', state]))
      const args = [process.argv[1] ?? '', 'meter', '--json', '--since', since, ...own]
      const run = () => promisify(execFile)(process.execPath, args, { signal, maxBuffer })
      const { stdout } = await reading(run).catch(({ stderr = '', message }) => {
        throw new ApiError(
          500,
          'meter_failed',
          `The transcripts were not read: ${stderr || message}`,
        )
      })
      return meterReport.parse(JSON.parse(stdout))
    },
  }),
]
