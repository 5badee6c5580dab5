import type { FileUses, OtherLines, References, UsedIn } from '@pith-mcp/code'
import { amount, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, oneLine } from './next-call.ts'
import { gapNotes, maxHits, searchedText } from './render-found.ts'

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
  const hasUses =
    files.some(({ usedIn }) => usedIn.length > 0) || references.implementers?.types[0] !== undefined
  const kind = args['kind']
  const lines = [
    ...(kind === 'calls' ? ['[all uses: what is a call is known by its form only]'] : []),
    ...(from === 0 ? head : []),
    ...section('extended or implemented by', code, ['extends']),
    ...implementersText(references),
    ...section('called in', code, ['call']),
    ...section('used in', code, ['use']),
    ...section('tests', tests, ['extends', 'call', 'use']),
    ...(imports > 0 && (kind === undefined || kind === 'calls')
      ? [`imported in ${amount(imports, 'file')}`]
      : []),
  ]
  const notes = [
    ...(matching === 'name' && hasUses
      ? [`[by name: uses of another ${JSON.stringify(name)} may be among them]`]
      : []),
    ...files
      .filter(({ isCut }) => isCut)
      .map(({ file }) => `[${oneLine(file)} has more uses than were looked at]`),
    ...(references.isFollowedInPart
      ? ['[in a part of the files only, uses under other exported names were looked for]']
      : []),
    ...(next === undefined
      ? []
      : [
          `[files ${from + 1}–${next} of ${count(total)} with the name in any spelling; next: ${callText({ tool: 'find_references', args: { ...args, from: next } })}]`,
        ]),
  ]
  return {
    text: [
      ...gapNotes(account, '`path`'),
      ...lines,
      ...(hasUses ? otherPlaces(references) : noUse(references, args)),
      ...notes,
    ].join('\n'),
    data: { name, definitions, matching, files, from, ...(next !== undefined && { next }), total },
  }
}

/** Types of Go by the file that has them. */
function implementersText({ implementers, name }: References): string[] {
  const files = new Map<string, string[]>()
  for (const { file, symbol, line, isTest } of implementers?.types ?? [])
    files.set(file, [
      ...(files.get(file) ?? []),
      `${oneLine(symbol)} ${line}${isTest ? ' (test)' : ''}`,
    ])
  const unknown = implementers?.unknown ?? []
  return [
    ...(files.size === 0 ? [] : [`implemented by, as they have its methods:`]),
    ...[...files].map(([file, types]) => `  ${oneLine(file)}: ${types.join(' · ')}`),
    ...(unknown.length === 0
      ? []
      : [`[not compared: methods of ${unknown.join(', ')}, which ${name} embeds]`]),
    ...(implementers?.isCut ? ['[more files have one of its methods than were read]'] : []),
  ]
}

/** What a page without uses says: all that is left of the name. */
function noUse(
  references: References,
  { name: query, kind, path }: { name: string; kind?: unknown; path?: unknown },
): string[] {
  const { name, definitions, from, next, total, account, rest, others, otherKinds } = references
  // Other pages may have uses.
  const isPage = from > 0 || next !== undefined
  const word = JSON.stringify(name)
  const where =
    path === undefined
      ? `in ${searchedText(account)}; other files, as configuration, are not: ${rgFor(name)}`
      : `in the source files of ${JSON.stringify(path)}`
  if (definitions.length === 0 && total === 0) return [`${word} is nowhere ${where}.`]
  const left = [
    ...placesText('in comments, texts, or not classified', rest, name),
    ...placesText('of another thing with the name', others, name),
  ]
  if (kind === 'implementations' || kind === 'tests') {
    const what = kind === 'tests' ? `is in a file of tests` : `is one that extends or implements it`
    const place = isPage ? 'on this page' : where
    return [
      `No use of ${word} ${what}, ${place}.`,
      ...(otherKinds === 0
        ? left
        : [
            `${amount(otherKinds, 'symbol')} with other uses: ${callText({ tool: 'find_references', args: { name: query } })}`,
          ]),
    ]
  }
  if (left.length > 0)
    return [
      `No use of ${word} ${isPage ? 'on this page ' : ''}is certain; the word is in other places:`,
      ...left,
    ]
  return isPage ? [] : [`No use of ${word}: but for what is listed, it is nowhere ${where}.`]
}

/** The command that finds a text as a word, in quotation marks of a shell. */
const rgFor = (text: string): string => `rg -nwF -- '${text.replaceAll("'", String.raw`'\''`)}'`

/** Lines with a name that are no certain uses. */
const placesText = (title: string, { lines, count: all }: OtherLines, name: string): string[] =>
  all === 0
    ? []
    : [
        `${count(all)} ${title}:`,
        ...lines.map(({ file, line, text }) => `  ${oneLine(file)}:${line}: ${oneLine(text)}`),
        ...(all > lines.length ? [`  and ${count(all - lines.length)} more: ${rgFor(name)}`] : []),
      ]

/** Lines that are shown next to uses. */
const maxPlaces = 3

function otherPlaces({ name, rest, others }: References): string[] {
  // A name in quotation marks may be a use: `getenv("NAME")`.
  const isQuoted = ({ text }: { text: string }): boolean =>
    ['"', "'", '`'].some((mark) => text.includes(mark + name + mark))
  const quotedFirst = rest.lines.toSorted((a, b) => Number(isQuoted(b)) - Number(isQuoted(a)))
  const shown = { ...rest, lines: quotedFirst.slice(0, maxPlaces) }
  return [
    ...placesText('in comments, texts, or not classified', shown, name),
    ...(others.count === 0
      ? []
      : [`[${amount(others.count, 'line')} of another thing with the name]`]),
  ]
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
