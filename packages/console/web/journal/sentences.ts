import type { Schemas } from '../api/schemas.ts'
import { callerName } from '../text/caller-name.ts'
import { countOf } from '../text/numbers.ts'
import { serverPath, toolPath } from '../text/paths.ts'

type Line = Schemas['JournalLine']

/** Words of ours, or a name or text of others, which may have a page. */
export type Part = string | { name: string; path?: string }

/** How a call ended, after a colon. */
const outcomes: Readonly<Record<string, string>> = {
  tool_error: 'the tool reported an error',
  failed: 'failed',
  cancelled: 'cancelled by the client',
  timeout: 'no answer in time',
  rate_limited: 'refused by a rate limit',
  budget_spent: 'refused, as the token budget is spent',
  too_many: 'refused, as too many calls wait for the server',
  too_many_instances: 'refused, as the caller has too many instances of the server',
  tool_held: 'refused, as the tool is held for approval',
  call_denied: 'was refused by the permissions',
  needs_approval: 'waits for approval',
  approval_refused: 'was refused by a person',
  journal_unwritable: 'refused, as the journal cannot be written',
  bad_argument: 'the arguments are invalid',
  unknown_module: 'there is no such server',
  needs_sign_in: 'the server needs a sign-in',
  no_session: 'the request names no session',
  upstream_down: 'the server is down',
  upstream_closed: 'the server ended during the call',
  upstream_refused: 'the server refused the request',
  bad_result: 'the result cannot be sent',
  cannot_ask: 'the question was not passed on',
}

function endingOf({ outcome }: Line): string {
  if (outcome === 'ok') return ''
  const text = outcome
    .replace(/^rpc_/, 'the server replied with error ')
    .replace(/^unknown_/, 'there is no such ')
  return `: ${outcomes[outcome] ?? (text === outcome ? `failed with ${text}` : text)}`
}

const reads: Readonly<Record<string, string>> = {
  'resources/read': 'read',
  'resources/subscribe': 'subscribed to',
  'resources/unsubscribe': 'unsubscribed from',
  'resources/directory/read': 'listed the folder',
  'prompts/get': 'got the prompt',
  'skills/get': 'got the skill',
  'completion/complete': 'asked for completions of',
  'tasks/update': 'answered the task',
  'tasks/cancel': 'cancelled the task',
}

const questions: Readonly<Record<string, string>> = {
  'sampling/createMessage': ' asked the model of ',
  'elicitation/create': ' asked the user of ',
  'roots/list': ' asked for the folders of ',
}

/** Past forms of commands, the longest first where one begins like another. */
const commands: Readonly<Record<string, string>> = {
  'pin approve': 'approved the tools of',
  'pin reset': 'reset the pins of',
  'approvals approve': 'approved the call',
  'approvals refuse': 'refused the call',
  'approvals revoke': 'revoked the answer to the call',
  'token create': 'created the token',
  'token rotate': 'replaced the value of the token',
  'token revoke': 'revoked the token',
  'config set': 'set',
  'config unset': 'removed the setting',
  'config undo': 'undid a change of the configuration',
  'import --write': 'imported the servers of clients',
  'import --undo': 'undid an import',
  'stats --lists': 'started servers to count their tools',
  'POST /session': 'opened a session',
  'DELETE /session': 'ended the session',
  'registry add': 'added from the registry',
  add: 'added',
  edit: 'edited',
  remove: 'removed',
  enable: 'enabled',
  disable: 'disabled',
  start: 'started',
  stop: 'stopped',
  restart: 'restarted',
  doctor: 'checked',
  login: 'began the sign-in at',
  logout: 'signed out of',
  reload: 'reloaded the configuration',
}

const places: Readonly<Record<string, string>> = {
  console: ' in the console',
  cli: ' on the command line',
  api: ' through the API',
}

const adminSentence = (line: Line): Part[] => {
  const { caller, via = '', tool = '', message, outcome } = line
  if (via === 'retention')
    return ['Retention removed ', { name: message ?? tool.replace(/^remove /, '') }]
  const who = caller === undefined ? 'The aggregator' : callerName(caller)
  const command = Object.keys(commands).find((words) => `${tool} `.startsWith(`${words} `))
  const place = places[via] ?? ''
  if (command === undefined || outcome !== 'ok')
    return [{ name: who }, ' ran ', { name: `“${tool}”` }, place, endingOf(line)]
  const object = tool.slice(command.length + 1).replace(/^--all$/, 'all servers')
  return [{ name: who }, ` ${commands[command]}${object && ' '}`, { name: object }, place]
}

/** What an event says; `count`: of several like it. */
function eventSentence({ outcome, module, tool, count }: Line, lines: number): Part[] {
  if (outcome === 'tool_held')
    return lines > 1
      ? [`${countOf(lines, 'tool')} of `, serverPart(module), ' are held']
      : [{ name: tool ?? 'A tool' }, ' of ', serverPart(module), ' is held']
  if (outcome === 'rejected') return [`${countOf(count ?? 1, 'HTTP request')} rejected`]
  if (outcome === 'journal_gap')
    return [`${countOf(count ?? 1, 'line')} of the journal could not be written`]
  return [{ name: outcome }]
}

function serverPart(module: string | undefined, account?: string): Part {
  if (module === undefined) return 'a server'
  const unit = account ? `${module}@${account}` : module
  return { name: unit, path: serverPath(unit) }
}

/** A line of the journal as a sentence; `count` lines of the same event at once. */
export function sentenceOf(line: Line, count = 1): Part[] {
  const { kind, module, account, tool = '', target, via } = line
  const who = { name: line.caller ? callerName(line.caller) : (line.client ?? 'A client') }
  const server = serverPart(module, account)
  const end = endingOf(line)
  const parts: Record<Line['kind'], () => Part[]> = {
    begun: () => [who, ' began ', server, '.', { name: tool }],
    call() {
      const called = {
        name: tool,
        ...(module && { path: toolPath({ server: module, name: tool }) }),
      }
      const where = via && via !== 'call' ? ` in ${via}` : ''
      return [who, ' called ', server, '.', called, where, end]
    },
    meta: () => [who, ' used the meta-tool ', { name: tool }, end],
    read() {
      const verb = reads[tool]
      if (verb === undefined || target === undefined)
        return [who, ' sent ', { name: tool }, ' to ', server, end]
      return [who, ` ${verb} `, { name: target }, ' of ', server, end]
    },
    ask: () => [server, questions[tool] ?? ` sent ${tool} to `, who, end],
    list: () => [who, ' listed the tools', end],
    admin: () => adminSentence(line),
    event: () => eventSentence(line, count),
  }
  return parts[kind]().filter((part) => part !== '' && (typeof part === 'string' || part.name))
}

/** Lines that one sentence says: held tools of the same server, at the same time and for the same reason. */
export function groupHeld(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = []
  for (const line of lines) {
    const [first] = groups.at(-1) ?? []
    const isSame =
      first?.kind === 'event' &&
      first.outcome === 'tool_held' &&
      (['kind', 'outcome', 'time', 'module', 'message'] as const).every(
        (key) => first[key] === line[key],
      )
    if (isSame) groups.at(-1)?.push(line)
    else groups.push([line])
  }
  return groups
}
