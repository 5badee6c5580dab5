// A page as the indexes take it: {url, title, language, headings: [{id, title, level}],
// sections: [{id, title, heading, path, text}]}. A section that goes on after its entries has the id
// and title of what it continues, and no heading.
function pathOf(section, byId) {
  const path = []
  for (let next = byId.get(section.parent); next; next = byId.get(next.parent))
    path.unshift(next.title)
  return path
}

export function recordOf({ url, title, language, sections }) {
  const byId = new Map(sections.map((section) => [section.id, section]))
  return {
    url,
    title,
    language,
    headings: sections
      .filter(({ kind, level }) => kind === undefined && level > 0)
      .map(({ id, title, level }) => ({ id, title, level })),
    sections: sections.map((section) => {
      const named = (section.kind === 'continuation' && byId.get(section.parent)) || section
      return {
        id: named.id,
        title: named.title,
        heading: section.title,
        path: pathOf(named, byId),
        text: section.blocks.map(({ markdown }) => markdown).join('\n'),
      }
    }),
  }
}
