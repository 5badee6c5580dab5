import { dirname } from 'node:path/posix'
import { isTest } from '../access/roots.ts'
import type { CodeSymbol, SourceFile } from '../outline/source-file.ts'
import type { Place } from './read-places.ts'

/** A type of Go that has the methods of an interface. */
interface Implementer {
  file: string
  symbol: string
  line: number
  isTest: boolean
}

/** The types with the methods of an interface, which nothing in Go says of them. */
export interface Implementers {
  types: readonly Implementer[]
  /** Interfaces that it embeds, whose methods are not known. */
  unknown: readonly string[]
  /** More files have one of the methods than were read. */
  isCut: boolean
}

export interface GoFiles {
  read(places: readonly Place[]): Promise<readonly SourceFile[]>
  /** Files that may define a name. */
  defining(name: string): Promise<readonly Place[]>
}

/** Levels of embedded interfaces, and files that are read. */
const maxDepth = 5
const maxFiles = 400

/** Interfaces of the standard library that others embed. */
const known: Readonly<Record<string, string>> = {
  error: 'Error() string',
  'fmt.Stringer': 'String() string',
  'io.Reader': 'Read([]byte) (int, error)',
  'io.Writer': 'Write([]byte) (int, error)',
  'io.Closer': 'Close() error',
  'io.Seeker': 'Seek(int64, int) (int64, error)',
  'http.Handler': 'ServeHTTP(ResponseWriter, *Request)',
}
const joined: Readonly<Record<string, readonly string[]>> = {
  'io.ReadCloser': ['io.Reader', 'io.Closer'],
  'io.WriteCloser': ['io.Writer', 'io.Closer'],
  'io.ReadWriter': ['io.Reader', 'io.Writer'],
  'io.ReadWriteCloser': ['io.Reader', 'io.Writer', 'io.Closer'],
  'io.ReadSeeker': ['io.Reader', 'io.Seeker'],
}

/** Finds the types that have all methods of an interface, with their parameters and results. */
export async function implementersOf(
  file: SourceFile,
  symbol: CodeSymbol,
  files: GoFiles,
): Promise<Implementers> {
  const unknown = new Set<string>()
  const methods = await methodsOf(file, symbol, files, unknown)
  const [first, ...others] = methods.keys()
  if (first === undefined) return { types: [], unknown: [...unknown], isCut: false }
  const isOwn = (place: { path: string }): boolean =>
    [...methods.keys()].every((name) => /^\p{Lu}/u.test(name)) ||
    dirname(place.path) === dirname(file.path)
  const foldersOf = (places: readonly Place[]) => new Set(places.map(({ path }) => dirname(path)))
  let places = (await files.defining(first)).filter(isOwn)
  const all = new Map(places.map((place) => [place.real, place]))
  for (const name of others) {
    const defining = await files.defining(name)
    const folders = foldersOf(defining)
    for (const place of defining) all.set(place.real, place)
    places = places.filter(({ path }) => folders.has(dirname(path)))
  }
  const folders = foldersOf(places)
  const some = [...all.values()].filter(({ path }) => folders.has(dirname(path)))
  const sources = await files.read(some.slice(0, maxFiles))
  return {
    types: typesWith(methods, sources),
    unknown: [...unknown],
    isCut: some.length > maxFiles,
  }
}

/** The methods of an interface, also of those that it embeds, by their names. */
async function methodsOf(
  file: SourceFile,
  symbol: CodeSymbol,
  files: GoFiles,
  unknown: Set<string>,
  depth = 0,
): Promise<Map<string, string>> {
  const index = file.symbols.indexOf(symbol)
  const methods = new Map<string, string>()
  for (const { parent, name, start, end } of file.symbols)
    if (parent === index) methods.set(name, signatureOf(file.text.slice(start, end), name))
  for (const embedded of embeddedIn(file.text.slice(symbol.body, symbol.end)))
    for (const [name, signature] of await embeddedMethods(embedded)) methods.set(name, signature)
  return methods

  async function embeddedMethods(embedded: string): Promise<Map<string, string>> {
    const found = await interfaceNamed(embedded)
    if (found && depth < maxDepth)
      return methodsOf(found.source, found.declared, files, unknown, depth + 1)
    const texts = (joined[embedded] ?? [embedded]).map((name) => known[name])
    if (texts.includes(undefined)) unknown.add(embedded)
    return new Map(
      texts.flatMap((text) => {
        const name = text?.slice(0, text.indexOf('(')) ?? ''
        return text === undefined ? [] : [[name, signatureOf(text, name)] as const]
      }),
    )
  }

  async function interfaceNamed(embedded: string) {
    const name = embedded.slice(embedded.indexOf('.') + 1)
    const folder = dirname(file.path)
    const isNear = ({ path }: Place): boolean =>
      embedded.includes('.')
        ? dirname(path).endsWith(embedded.slice(0, embedded.indexOf('.')))
        : dirname(path) === folder
    for (const source of await files.read((await files.defining(name)).filter(isNear)))
      for (const declared of source.symbols)
        if (declared.name === name && declared.kind === 'interface') return { source, declared }
    return undefined
  }
}

/** The names of types on lines of their own in the body of a type: `io.Reader`, `*Base`. */
const embeddedIn = (body: string): string[] =>
  [
    ...body.matchAll(
      /(?:^|[\n;{])[ \t]*\*?((?:\w+\.)?\w+)(?:\[[^\]\n]*\])?[ \t]*(?:`[^`\n]*`[ \t]*)?(?:\/\/[^\n]*)?(?=[\n;}]|$)/g,
    ),
  ].map(([, name = '']) => name)

/** The types of some files with all of these methods, of their own or by what they embed. */
function typesWith(
  methods: ReadonlyMap<string, string>,
  sources: readonly SourceFile[],
): Implementer[] {
  const types = new Map<
    string,
    Omit<Implementer, 'isTest'> & { has: Set<string>; embedded: readonly string[] }
  >()
  for (const { path: file, text, lines, symbols } of sources)
    for (const { kind, bare, parent, start, body, end } of symbols) {
      if (parent >= 0) continue
      const [type = '', method] = bare.split('/')
      const key = `${dirname(file)}#${type}`
      const place = { file, symbol: type, line: lines.lineAt(start) }
      const having = types.get(key) ?? { ...place, has: new Set(), embedded: [] }
      types.set(key, having)
      if (kind === 'struct') having.embedded = embeddedIn(text.slice(body, end))
      // Where the type is declared, rather than one of its methods.
      if (method === undefined) Object.assign(having, place)
      else if (signatureOf(text.slice(start, body), method) === methods.get(method))
        having.has.add(method)
    }
  for (let turn = 0; turn < maxDepth; turn++)
    for (const { file, has, embedded } of types.values())
      for (const name of embedded)
        for (const method of types.get(`${dirname(file)}#${name}`)?.has ?? []) has.add(method)
  return [...types.values()]
    .filter(({ has }) => has.size === methods.size)
    .map(({ file, symbol, line }) => ({ file, symbol, line, isTest: isTest(file) }))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
}

/** Parameters and results of a method as types, without names and packages. */
function signatureOf(text: string, name: string): string {
  const open = text.indexOf('(', text.search(new RegExp(`\\b${name}\\s*\\(`)))
  const close = endOfList(text, open)
  const results = text
    .slice(close + 1)
    .replace(/\{\s*$|\/\/[^\n]*|\n[\s\S]*$/g, '')
    .trim()
  const list = results.startsWith('(') ? results.slice(1, endOfList(results, 0)) : results
  return `${typesIn(text.slice(open + 1, close))} → ${typesIn(list)}`
}

/** Where a bracket that is opened at a place is closed; the end of a text if it is not. */
function endOfList(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at] as string)) depth++
    else if (')]}'.includes(text[at] as string) && --depth === 0) return at
  }
  return text.length
}

/** The types of parameters: `a, b int` is `int,int`. */
function typesIn(list: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= list.length; at++) {
    if ('([{'.includes(list[at] ?? ' ')) at = endOfList(list, at)
    else if (at === list.length || list[at] === ',') {
      parts.push(list.slice(from, at).trim())
      from = at + 1
    }
  }
  const named = /^(?!(?:chan|func|map|struct|interface)\b)[\p{L}_][\p{L}\p{N}_]*\s+(?=\S)/u
  const isNamed = parts.some((part) => named.test(part))
  let type = ''
  const types = parts.filter(Boolean).toReversed()
  const plain = types.map((part) => {
    if (!isNamed || named.test(part)) type = part.replace(isNamed ? named : /(?!)/, '')
    return type.replace(/\s|[\p{L}\p{N}_]+\./gu, '').replaceAll('interface{}', 'any')
  })
  return plain.reverse().join(',')
}
