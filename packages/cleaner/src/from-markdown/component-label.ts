/** Components whose name is their label. */
const boxes: ReadonlySet<string> = new Set(
  'Caution Check Danger Important Info Note Success Tip Warning'.split(' '),
)
/** Attributes that contain the name of a parameter. */
const names = ['path', 'query', 'body', 'header', 'name']
const maxLength = 300

/** The label of a component's tag: its title, its kind, or the parameter it describes. */
export function componentLabel(tag: string): string {
  const name = /^<([A-Z][\w.]*)/.exec(tag)?.[1] ?? ''
  if (/^(?:Param|Response|Property)(?:Field)?$/.test(name)) {
    const field = names.map((key) => attribute(tag, key)).find(Boolean)
    const stated = attribute(tag, 'type')
    // `Array<string>` would be parsed as a tag.
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
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').slice(0, maxLength)
}
