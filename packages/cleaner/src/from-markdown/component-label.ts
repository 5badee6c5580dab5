/** Boxes whose name says what they are. */
const boxes: ReadonlySet<string> = new Set(
  'Caution Check Danger Important Info Note Success Tip Warning'.split(' '),
)
/** What names a parameter, by the places that one may stand in. */
const names = ['path', 'query', 'body', 'header', 'name']
const longest = 300

/** What the tag of a component says to a reader: its title, its kind, the parameter it is about. */
export function componentLabel(tag: string): string {
  const name = /^<([A-Z][\w.]*)/.exec(tag)?.[1] ?? ''
  if (/^(?:Param|Response|Property)(?:Field)?$/.test(name)) {
    const field = names.map((key) => attribute(tag, key)).find(Boolean)
    const stated = attribute(tag, 'type')
    // `Array<string>` would be read as a tag.
    const type = stated.includes('<') ? `\`${stated}\`` : stated
    const notes = [type, /\srequired(?=[\s/>=])/.test(tag) ? 'required' : ''].filter(Boolean)
    if (field) return `\`${field}\`${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  }
  const title = attribute(tag, 'title') || attribute(tag, 'label')
  if (title) return `**${title}**`
  return boxes.has(name) ? `**${name}:**` : ''
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}=\\{?(?:"([^"]*)"|'([^']*)'|\`([^\`]*)\`)`).exec(tag)
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').slice(0, longest)
}
