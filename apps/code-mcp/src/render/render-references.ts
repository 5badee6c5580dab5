import type { FileUses, References, UsedIn } from '@pith-mcp/code'
import { amount, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, oneLine } from './next-call.ts'
import { accountNotes, maxHits } from './render-found.ts'

/** More definitions of a name are counted. */
const maxDefinitions = 5

/** The definitions of a name, and what uses it, one line a file. */
export function renderReferences(
  references: References,
  args: Readonly<Record<string, string | number | undefined>> & { name: string },
): Reply {
  const { name, definitions, matching, files, from, next, total, account } = references
  const { definersLeft = 0 } = references
  const notShown = Math.max(0, definitions.length - maxDefinitions)
  // Those of files that were not read are not known.
  const more = `${count(notShown)}${definersLeft > 0 ? ` and perhaps ${count(definersLeft)}` : ''}`
  const code = files.filter(({ isTest }) => !isTest)
  const tests = files.filter(({ isTest }) => isTest)
  const imports = files.filter(({ isImported }) => isImported).length
  const head = [
    ...definitions
      .slice(0, maxDefinitions)
      .map(
        ({ id, kind, startLine, endLine }) =>
          `defined: ${oneLine(id)} · ${kind} · ${startLine === endLine ? startLine : `${startLine}–${endLine}`}`,
      ),
    ...(notShown + definersLeft === 0
      ? []
      : [
          `[${more} more definitions: ${callText({ tool: 'find_function', args: { query: args.name, max_results: maxHits } })}]`,
        ]),
  ]
  const lines = [
    ...(from === 0 ? head : []),
    ...section('extended or implemented by', code, ['extends']),
    ...section('used in', code, ['call', 'use']),
    ...section('tests', tests, ['extends', 'call', 'use']),
    ...(imports > 0 && args['kind'] === undefined
      ? [`imported in ${amount(imports, 'file')}`]
      : []),
  ]
  const notes = [
    ...(matching === 'name' && files.some(({ usedIn }) => usedIn.length > 0)
      ? [`[by name: uses of another ${JSON.stringify(name)} may be among them]`]
      : []),
    ...files
      .filter(({ isCut }) => isCut)
      .map(({ file }) => `[${oneLine(file)} has more uses than were looked at]`),
    ...accountNotes(account, '`path`'),
    ...(next === undefined
      ? []
      : [
          `[files ${from + 1}–${next} of ${count(total)} with the name in any spelling; next: ${callText({ tool: 'find_references', args: { ...args, from: next } })}]`,
        ]),
  ]
  const nothing =
    definitions.length === 0 && total === 0
      ? [`No file has ${JSON.stringify(name)}, in ${amount(account.searched, 'file')} searched.`]
      : files.length === 0 && next === undefined
        ? [
            `No use of ${JSON.stringify(name)} was found; the word, in any spelling, is in ${amount(total, 'file')}.`,
          ]
        : []
  return {
    text: [...lines, ...nothing, ...notes].join('\n'),
    data: { name, definitions, matching, files, from, ...(next !== undefined && { next }), total },
  }
}

function section(
  title: string,
  files: readonly FileUses[],
  kinds: readonly UsedIn['kind'][],
): string[] {
  const lines = files.flatMap(({ file, usedIn }) => {
    const groups = usedIn.filter(({ kind }) => kinds.includes(kind))
    if (groups.length === 0) return []
    const symbols = groups.map(
      ({ symbol, lines }) =>
        `${symbol === undefined ? '' : `${oneLine(symbol)} `}${linesText(lines)}`,
    )
    return [`  ${oneLine(file)}: ${symbols.join(' · ')}`]
  })
  return lines.length === 0 ? [] : [`${title}:`, ...lines]
}

/** More lines of one symbol are counted. */
const maxLines = 6

const linesText = (lines: readonly number[]): string =>
  lines.length <= maxLines
    ? lines.join(', ')
    : `${lines.slice(0, maxLines).join(', ')} and ${lines.length - maxLines} more`
