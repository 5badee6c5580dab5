import { homedir } from 'node:os'
import { countOf } from '@pith-mcp/base/count-of'
import { readTranscripts } from '@pith-mcp/meter'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { readRecorded } from '../meter/recorded.ts'
import { type MeterReport, reportOf, titleOf } from '../meter/report.ts'
import { atOf } from '../since.ts'
import type { Command } from './command.ts'
import { withJournalIfAny } from './with-journal.ts'

export const command: Command = {
  usage: `aggregator-mcp meter [--since 30d|24h|2026-11-01] [--session] [--json]

Read the transcripts that Claude Code and Codex keep on this computer, and report what the results
of each MCP server cost: tokens carried are those of a result times the requests that held it. With
the journal of Pith, also what Pith added and saved, and in how many sessions it lost.

Reads only, sends nothing, and keeps nothing. --session lists the sessions with their names.`,
  options: {
    since: { type: 'string' },
    session: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run(context) {
    const { values, words, print, printJson, log } = context
    if (words.length > 0) throw new UsageError(`meter: it takes no words, got "${words[0]}".`)
    const at = atOf(String(values['since'] ?? '30d'), 'meter: --since')
    const since = new Date(at).toISOString()
    return withJournalIfAny(context, async (journal) => {
      const recorded = journal && (await readRecorded(journal.read(since)))
      const transcripts = await readTranscripts({
        since: at,
        variables: process.env,
        home: homedir(),
        onFile(done, files) {
          if (done > 0 && done % 200 === 0) log(`Read ${done} of ${files} files.`)
        },
        ...(recorded && { findRecord: recorded.find }),
      })
      if (recorded?.isPart) transcripts.ledger.note('more requests in the journal than are kept')
      const report = reportOf(transcripts, recorded, {
        since,
        withSessions: values['session'] === true,
      })
      if (values['json'] === true) printJson(report, 2)
      else for (const line of linesOf(report)) print(line)
      return 0
    })
  },
}

const number = (value: number): string => value.toLocaleString('en')

/** Servers, and tools of each, that are printed; `--json` has all. */
const maxServers = 50
const maxTools = 8

function linesOf(report: MeterReport): string[] {
  const { places, total, servers, pith, bySession = [], notes, since = '' } = report
  const read = places.filter(({ files }) => files > 0)
  if (read.length === 0)
    return [
      'No transcripts of this period. These folders were looked in:',
      ...places.map(({ client, folder }) => `  ${titleOf(client)}: ${folder}`),
      ...notesOf(notes),
    ]
  const share = (part: number): string => `${((part / (total.input || 1)) * 100).toFixed(1)} %`
  const parts = [
    ['results of MCP servers', total.results],
    ["results of the client's own tools", total.ownResults],
    ['prompts, and what the model wrote', total.text],
    ['system prompt, tool definitions, instructions', total.preamble],
    ['what no record shows', total.rest],
  ] as const
  return [
    `${countOf(report.sessions, 'session')} since ${since.slice(0, 16)}Z, from:`,
    ...read.map(
      ({ client, folder, files }) => `  ${titleOf(client)}: ${countOf(files, 'file')} in ${folder}`,
    ),
    `${countOf(total.requests, 'request')} carried ${number(total.input)} tokens:`,
    ...parts.map(
      ([name, part]) => `  ${number(part).padStart(16)}  ${share(part).padStart(6)}  ${name}`,
    ),
    '',
    ...tableOf(servers.filter(({ server }) => server !== '')),
    ...(pith ? pithLines(pith) : [withoutPith(report)]),
    ...bySession.map(
      (session) =>
        `${session.start.slice(0, 16)}Z  ${titleOf(session.client)}  ${session.session}: ${countOf(session.requests, 'request')}, ${number(session.input)} tokens, ${number(session.results)} of MCP results${session.pith ? `, Pith ${signed(session.pith.net)}` : ''}`,
    ),
    ...notesOf(notes),
  ]
}

const withoutPith = ({ hasJournal }: MeterReport): string =>
  hasJournal
    ? 'No session of these had Pith, by its journal.'
    : 'There is no journal, so it is not known what Pith added and saved.'

const signed = (net: number): string => `${net < 0 ? 'lost' : 'saved'} ${number(Math.abs(net))}`

const notesOf = (notes: MeterReport['notes']): string[] =>
  notes.map(({ text, count }) => `Note: ${text}${count > 1 ? ` (${number(count)} times)` : ''}`)

function tableOf(servers: MeterReport['servers']): string[] {
  if (servers.length === 0) return ['No calls of MCP servers.', '']
  const rows = servers
    .slice(0, maxServers)
    .flatMap(({ server, via, tools, ...cost }) => [
      { name: via ? `${server} (through ${via})` : server, ...cost },
      ...tools.slice(0, maxTools).map(({ tool, ...own }) => ({ name: `  ${tool}`, ...own })),
      ...(tools.length > maxTools ? [{ name: `  ${tools.length - maxTools} more: --json` }] : []),
    ])
  const width = Math.max(...rows.map(({ name }) => name.length), 'server, tool'.length)
  const columns = ['calls', 'tokens', 'carried'] as const
  const more = servers.length - maxServers
  return [
    ['server, tool'.padEnd(width), ...columns.map((name) => name.padStart(16))].join(''),
    ...rows.map((row) =>
      [
        row.name.padEnd(width),
        ...columns.map((key) =>
          (key in row ? number((row as Record<typeof key, number>)[key]) : '').padStart(16),
        ),
      ]
        .join('')
        .trimEnd(),
    ),
    ...(more > 0 ? [`${more} more servers: --json`] : []),
    '',
  ]
}

function pithLines(pith: NonNullable<MeterReport['pith']>): string[] {
  const { sessions, lost, lists, instructions, searches, savedLists, savedResults, net } = pith
  return [
    `Pith, in ${countOf(sessions, 'session')}, carried tokens:`,
    `  added  ${number(lists + instructions + searches)}: lists ${number(lists)}, instructions ${number(instructions)}, searches and the like ${number(searches)}`,
    `  saved  ${number(savedLists + savedResults)}: lists ${number(savedLists)}, results ${number(savedResults)}`,
    `  net    ${signed(net)}; it lost in ${countOf(lost, 'session')}${lost > 0 ? ': --session names them' : ''}`,
    '',
  ]
}
