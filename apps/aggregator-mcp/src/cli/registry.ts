import { asSentence } from '@pith-mcp/base/as-sentence'
import { countOf } from '@pith-mcp/base/count-of'
import { UsageError } from '@pith-mcp/server-kit/settings'
import {
  addRegistryServer,
  getRegistryServer,
  planRegistryServer,
  type RegistryServer,
  searchRegistry,
} from '../operations/registry.ts'
import { lineFor } from '../text-of.ts'
import { askPerson } from './ask-person.ts'
import { type Command, type CommandContext, oneOf } from './command.ts'
import { type Perform, withOperations } from './with-operations.ts'

export const command: Command = {
  usage: `aggregator-mcp registry search WORDS … [--deprecated] [--json] [--registry URL|FILE]
aggregator-mcp registry add SERVER [options] [--config FILE] [--registry URL|FILE]

Search the registry of MCP servers, and add a server to the configuration. Running aggregators use it
immediately.

      --deprecated         also deprecated servers
      --json               print the answer as JSON
      --as NAME            name in the configuration
      --version V          another version than the latest
      --package N          what to start, if there are several packages or remotes
      --remote N           where calls are sent
      --set INPUT=VALUE    value of an input; repeatable
      --accept             accept the risks that are named, if there are any

At a terminal, required values that are not set are asked for. A secret is stored in the keychain of
this machine, or in a file that only you can read, unless it is a reference: \${VAR}, \${file:…}, \${keychain:…} or \${command:…}.`,
  options: {
    deprecated: { type: 'boolean' },
    json: { type: 'boolean' },
    as: { type: 'string' },
    version: { type: 'string' },
    package: { type: 'string' },
    remote: { type: 'string' },
    set: { type: 'string', multiple: true },
    accept: { type: 'boolean' },
  },
  async run(context) {
    const [word = '', ...words] = context.words
    const isAdd = oneOf(['search', 'add'], word, 'registry: The action') === 'add'
    if (words.length === 0 || (isAdd && words.length > 1))
      throw new UsageError(
        `registry ${word}: Enter ${isAdd ? 'one server' : 'words to search for'}.`,
      )
    const run = isAdd ? add : search
    return withOperations(context, isAdd, (_, perform) => run(words.join(' '), context, perform))
  },
}

type Run = (words: string, context: CommandContext, perform: Perform) => Promise<number>

const search: Run = async (words, { values, print, printJson, log }, perform) => {
  const deprecated = String(values['deprecated'] === true)
  const query = { search: words, limit: 50, deprecated }
  const answer = await perform('registry search', searchRegistry, { query })
  const { servers, hidden, unread, hasMore, problem, registry } = answer
  if (values['json'] === true) printJson(answer)
  else {
    for (const { name, version, choices, status, isBuiltIn, description } of servers) {
      const kinds = new Set(choices.map(({ kind, type }) => (kind === 'remote' ? kind : type)))
      const marks = [...kinds, isBuiltIn ? 'built in' : '', status === 'active' ? '' : status]
      print(`${name} ${version} [${marks.filter(Boolean).join(', ')}] ${description}`)
    }
    if (servers.length === 0 && problem === undefined)
      print(`No server of ${registry} matches. Try one word, or fewer letters.`)
    if (hidden > 0) print(`${countOf(hidden, 'deprecated server')} left out: use --deprecated.`)
    if (unread > 0) print(`Entries of the registry that are not valid: ${unread}.`)
    if (hasMore) print('There are more. Add a word to narrow the search.')
  }
  if (problem !== undefined) log(`registry search: ${asSentence(problem)}`)
  return servers.length > 0 && problem === undefined ? 0 : 1
}

const add: Run = async (server, { values, print }, perform) => {
  const query = { name: server, version: values['version'] }
  const parts = { query }
  const { choices, version, suggestedName } = await perform(
    'registry add',
    getRegistryServer,
    parts,
  )
  const choice = selectFrom(choices, values, print)
  const entered = pairs(values['set'])
  const missing = choices[choice]?.inputs.filter(
    (input) => input.isRequired && !input.default && entered[input.name] === undefined,
  )
  if (missing?.length && !process.stdin.isTTY)
    throw new UsageError(
      `registry add: Values are missing: ${missing.map(({ name }) => `--set ${name}=…`).join(' ')}`,
    )
  for (const { name, description = '', isSecret } of missing ?? []) {
    const rule = isSecret ? ' It is stored as a secret, unless it is a reference.' : ''
    entered[name] = [await askPerson(lineFor(`${name}: ${description}${rule} `), isSecret)]
  }
  const name = values['as'] ?? suggestedName
  const body = { name, server, version: version || undefined, choice, values: entered }
  const { risks } = await perform('registry add', planRegistryServer, { body })
  const accepts = values['accept'] === true ? risks : []
  const added = { body: { ...body, accepts } }
  const { path, launch, next } = await perform('registry add', addRegistryServer, added)
  print(`Added ${name} to ${path}:`)
  for (const line of launch.split('\n')) print(`  ${line}`)
  print(next)
  return 0
}

/** The index of the choice that options name, or of the only one. @throws {UsageError} after listing all */
function selectFrom(
  choices: RegistryServer['choices'],
  values: CommandContext['values'],
  print: CommandContext['print'],
): number {
  const numbers = { package: 0, remote: 0 }
  const flags = choices.map(({ kind }) => `--${kind} ${++numbers[kind]}`)
  const names = ['package', 'remote'].filter((name) => values[name] !== undefined)
  const flag = names.map((name) => `--${name} ${values[name]}`).join(' ')
  const [index, ...more] = choices.flatMap(({ refusal }, at) =>
    (flag === '' ? refusal === undefined : flag === flags[at]) ? [at] : [],
  )
  if (index !== undefined && more.length === 0) return index
  for (const [at, { type, what, effect, refusal = effect }] of choices.entries())
    print(`${flags[at]}: ${type} ${what}. ${asSentence(refusal)}`)
  throw new UsageError(
    `registry add: ${choices.length > 0 ? `Select one of these with ${flags.join(', ')}` : 'It has no package and no URL'}.`,
  )
}

function pairs(flags: unknown): Record<string, string[]> {
  const entered: Record<string, string[]> = {}
  for (const flag of (flags ?? []) as string[]) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(flag) ?? []
    if (name === '') throw new UsageError('registry add: --set must have the form INPUT=VALUE.')
    entered[name] = [...(entered[name] ?? []), value]
  }
  return entered
}
