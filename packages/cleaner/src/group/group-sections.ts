import type { FlatEntry, FlatHeading, FlatRoot } from '../markdown/flat-tree.ts'
import type { Section } from '../page.ts'

/** In characters; ids are repeated in calls and must be short. */
const maxIdLength = 200

/** Group nodes into sections with parents; `title` is for text before the first heading. */
export function groupSections({ children }: FlatRoot, title: string): Section[] {
  const sections: Section[] = []
  /** The sections around the current one, outermost first. */
  const open: Section[] = []
  const entries: Section[] = []
  const unique = createIds()
  const ids = new Set(
    children.flatMap((node) => ('title' in node && node.id ? [node.id, ...node.aliases] : [])),
  )
  for (const node of children) {
    if (node.type === 'flatHeading') addHeading(node)
    else if (node.type === 'flatEntry') entries.push(begin(node, Math.min(levelAround() + 1, 7)))
    else if (node.type === 'flatEntryEnd') {
      // A heading inside the entry may have closed it already.
      const depth = open.indexOf(entries.pop() as Section)
      if (depth >= 0) open.length = depth
    } else if (node.type === 'flatBlock') current().blocks.push(node.block)
    else if (!ids.has(node.id)) {
      ids.add(node.id)
      addAlias(current(), node.id)
    }
  }
  return sections.filter(
    ({ kind, level, blocks }) => (kind !== 'continuation' && level > 0) || blocks.length > 0,
  )

  function levelAround(): number {
    return open.at(-1)?.level ?? 0
  }

  function addHeading(node: FlatHeading): void {
    const last = open.at(-1)
    if (last && last === sections.at(-1) && last.level === node.level && shares(last, node)) {
      join(last, node, unique(node.id ?? slug(node.title)))
      return
    }
    while (levelAround() >= node.level) open.pop()
    begin(node, node.level)
  }

  function begin(node: FlatHeading | FlatEntry, level: number): Section {
    const parent = open.at(-1)
    const section: Section = {
      id: unique(node.id ?? slug(node.title)),
      ...(node.aliases.length > 0 && { aliases: node.aliases.filter(isShort) }),
      title: node.title,
      level,
      ...(parent && { parent: parent.id }),
      ...(node.type === 'flatEntry' && { kind: 'entry' as const }),
      blocks: [],
    }
    sections.push(section)
    open.push(section)
    return section
  }

  /** The section for the next block; after closed entries, a continuation. */
  function current(): Section {
    const last = sections.at(-1)
    const parent = open.at(-1)
    if (last && (last === parent || (!parent && last.level === 0))) return last
    if (parent && last?.kind === 'continuation' && last.parent === parent.id) return last
    const section: Section = {
      id: unique(parent ? `${parent.id}~` : 'top'),
      title: parent ? '' : title,
      level: levelAround(),
      ...(parent && { parent: parent.id, kind: 'continuation' }),
      blocks: [],
    }
    sections.push(section)
    return section
  }
}

/** Makes each id short and unique. */
function createIds(): (id: string) => string {
  /** Number of uses of each id. */
  const used = new Map<string, number>()
  return (id) => {
    const baseId = id.slice(0, maxIdLength) || 'section'
    let free = baseId
    let count = used.get(baseId) ?? 0
    while (used.has(free)) free = `${baseId}-${++count + 1}`
    used.set(baseId, count)
    used.set(free, used.get(free) ?? 0)
    return free
  }
}

function join(section: Section, { title, aliases }: FlatHeading, id: string): void {
  for (const alias of [id, ...aliases]) addAlias(section, alias)
  const [value] = section.blocks
  section.title += `${value ? ` ${value.markdown}` : ''}, ${title}`
  section.blocks.length = 0
}

/** `max_size`, `--all`, `open()`, `a.b`. */
const codeName = /^-{0,2}[\p{L}\p{N}]+(?:[_.:-]+[\p{L}\p{N}]+)*(?:\(\))?$/u
const codeSign = /^-|[_.:()]|\p{L}-\p{L}/u
/** `(default 20)` */
const onlyValue = /^\([^()\n]{1,80}\)$/

/** True if a name has no text but a value, and shares the text of the name after it. */
function shares({ kind, title, blocks }: Section, next: FlatHeading): boolean {
  if (title.length > maxIdLength) return false
  const names = [...title.split(', ').map((name) => name.replace(/ \(.*\)$/, '')), next.title]
  return (
    kind === undefined &&
    names.every((name) => codeName.test(name) && codeSign.test(name)) &&
    (blocks.length === 0 || (blocks.length === 1 && onlyValue.test(blocks[0]?.markdown ?? '')))
  )
}

const isShort = (id: string): boolean => id.length <= maxIdLength

function addAlias(section: Section, id: string): void {
  if (section.id === id || !isShort(id)) return
  section.aliases ??= []
  section.aliases.push(id)
}

/** A fragment derived from a title, for headings without one; an option keeps its dashes and case. */
function slug(title: string): string {
  const dashes = /^--?(?=\w)/.exec(title)?.[0] ?? ''
  const words = (dashes === '' ? title.toLowerCase() : title)
    .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return dashes + words
}
