import type { SettingsTable } from './define-settings.ts'
import { usageLines } from './describe-settings.ts'
import { UsageError } from './read-settings.ts'

interface Manual {
  program: string
  /** The output of `--help`. */
  usage: string
  commands: readonly string[]
  /** The options of a command. Those of some only begin their help with their names: `find, list: …`. */
  optionsOf(command: string): SettingsTable | undefined
}

/**
 * What `help` prints: of one command its lines of the usage and its options, or else the whole usage.
 * @throws {UsageError} for a word that is not a command
 */
export async function helpText(topic: string | undefined, manual: Manual): Promise<string> {
  const { program, usage, commands, optionsOf } = manual
  if (topic === undefined) return usage
  if (!commands.includes(topic)) throw await unknownCommand(topic, manual)
  const lines = usage.split('\n')
  const start = lines.findIndex((line) => new RegExp(`^  ${program} ${topic} `).test(line))
  const more = lines.slice(start + 1).findIndex((line) => !/^ {6,}\S/.test(line))
  const options = usageLines(tableFor(topic, optionsOf(topic)), 22)
  return [
    ...lines.slice(start, start + 1 + more),
    ...(options === '' ? [] : ['', 'Options:', options]),
    '',
    `${program} help prints all commands and settings.`,
    '',
  ].join('\n')
}

function tableFor(command: string, table: SettingsTable | undefined): SettingsTable {
  if (table === undefined) return { lines: [] } as unknown as SettingsTable
  const lines = table.lines.flatMap((line) => {
    const parts = [...line.help.matchAll(/(?:^|; )((?:[a-z]+, )*[a-z]+): ([^;]+)/g)]
    if (parts.length === 0) return [line]
    const [, , help] = parts.find(([, names = '']) => names.split(', ').includes(command)) ?? []
    return help === undefined ? [] : [{ ...line, help }]
  })
  return { ...table, lines }
}

/** For a word that is not a command: with the one that it resembles, or else all of them. */
export async function unknownCommand(
  word: string,
  { program, commands }: Pick<Manual, 'program' | 'commands'>,
  what = 'command',
): Promise<UsageError> {
  const nearest = await nearestCommand(word, commands)
  const remedy = nearest
    ? `Did you mean ${program} ${nearest}?`
    : `The commands are ${commands.join(', ')}.`
  return new UsageError(`There is no ${what} ${JSON.stringify(word)}. ${remedy}`)
}

async function nearestCommand(word: string, commands: readonly string[]) {
  // Loaded only when a word is wrong.
  const { editDistance } = await import('@pith-mcp/scorer')
  const ranked = commands
    .map((name) => ({ name, edits: editDistance(word.toLowerCase(), name, 2) }))
    .sort((a, b) => a.edits - b.edits)
  return ranked.find(({ name, edits }) => edits <= Math.min(2, name.length / 3))?.name
}
