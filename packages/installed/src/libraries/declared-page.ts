import type { Block, Page, Section } from '@pith-mcp/cleaner'
import type { DeclaredMember, DeclaredName, DescribedDeclarations } from './declarations.ts'

/** In characters: of all names of a page. */
const maxPage = 2 ** 21
/** Of one name. */
const maxSignatures = 12
const maxMembers = 400
const maxAliases = 10

/**
 * A section for each exported name, with its members as entries. What does not fit is counted. Built
 * without the cleaner, which takes ten times as long for thousands of sections.
 */
export function declaredPage(
  url: string,
  title: string,
  { names, notes }: DescribedDeclarations,
): Page {
  const top: Section = { id: 'api', title: `${title}: API`, level: 1, blocks: [] }
  const sections: Section[] = [top]
  const ids = new Set([top.id])
  let length = 0
  let end = 0
  for (const declared of names) {
    const added = sectionsOf(declared, top.id, ids)
    length += added.reduce(
      (sum, { title: name, blocks }) => sum + name.length + lengthOf(blocks),
      0,
    )
    if (length > maxPage) break
    end++
    sections.push(...added)
  }
  const beyond = names.slice(end).map(({ name }) => `\`${name}\``)
  const rest = `Exported names that do not fit (${beyond.length}): ${beyond.slice(0, 200).join(', ')}${beyond.length > 200 ? ', …' : '.'}`
  top.blocks = [...notes, ...(beyond.length > 0 ? [rest] : [])].map(textBlock)
  const health = { region: '', reason: 'markdown' as const, kept: 1, suspectedShell: false }
  return { url, title: top.title, sections, health }
}

const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { markdown }) => sum + markdown.length, 0)

function sectionsOf(declared: DeclaredName, parent: string, ids: Set<string>): Section[] {
  const { name, short, module, signatures, comment, members } = declared
  const aliases = declared.aliases.slice(0, maxAliases)
  const more = signatures.length - maxSignatures
  const omitted = members.length - maxMembers
  const lines = [
    ...signatures.slice(0, maxSignatures).map(code),
    ...(module === undefined ? [] : [`From \`${module}\`.`]),
    ...(aliases.length > 0 ? [`Also ${aliases.map(code).join(', ')}.`] : []),
    ...(omitted > 0 ? [`Members not listed: ${omitted}.`] : []),
  ]
  const id = unique(name, ids)
  const blocks = [...lines.map(textBlock), ...overloadsBeyond(more), ...commentBlocks(comment)]
  const names = [...aliases, ...(short === undefined ? [] : [short])]
  const section: Section = { id, aliases: names, title: name, level: 2, parent, blocks }
  return [section, ...members.slice(0, maxMembers).map((member) => entryOf(member, id, ids))]
}

function entryOf(
  { name, signatures, comment }: DeclaredMember,
  parent: string,
  ids: Set<string>,
): Section {
  const terms = signatures
    .slice(0, maxSignatures)
    .map((signature): Block => ({ kind: 'definition', markdown: code(signature) }))
  const more = signatures.length - maxSignatures
  return {
    id: unique(`${parent}.${name}`, ids),
    title: signatures[0] ?? name,
    level: 3,
    parent,
    kind: 'entry',
    blocks: [...terms, ...overloadsBeyond(more), ...commentBlocks(comment)],
  }
}

function unique(name: string, ids: Set<string>): string {
  let id = name
  for (let at = 2; ids.has(id); at++) id = `${name}-${at}`
  ids.add(id)
  return id
}

const overloadsBeyond = (count: number): Block[] =>
  count > 0 ? [textBlock(`Overloads not listed: ${count}.`)] : []

const textBlock = (markdown: string): Block => ({ kind: 'text', markdown })

/** A signature may have backticks. */
function code(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  const ticks = '`'.repeat(1 + Math.max(0, ...runs))
  return ticks.length > 1 ? `${ticks} ${text} ${ticks}` : `\`${text}\``
}

const fence = /^(`{3,}|~{3,})([\w+-]*)[^\n]*\n([\s\S]*?)(?:^\1[^\n]*$|$(?![\s\S]))/gm

/** The paragraphs, lists and code of a comment in Markdown. */
function commentBlocks(comment: string): Block[] {
  const blocks: Block[] = []
  let from = 0
  for (const match of comment.matchAll(fence)) {
    const [all, , language = '', inner = ''] = match
    blocks.push(...paragraphs(comment.slice(from, match.index)))
    const lines = inner.replace(/\n$/, '').split('\n').length
    const markdown = all.trimEnd()
    blocks.push({ kind: 'code', markdown, lines, ...(language && { language }) })
    from = match.index + all.length
  }
  return [...blocks, ...paragraphs(comment.slice(from))]
}

const paragraphs = (text: string): Block[] =>
  text.split(/\n[^\S\n]*\n/).flatMap((part) => {
    const markdown = part.replace(/^\n+/, '').trimEnd()
    if (markdown === '') return []
    return [{ kind: /^\s*(?:[-*+]|\d+\.) /.test(markdown) ? 'list' : 'text', markdown }]
  })
