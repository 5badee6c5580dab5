import { letters } from '#base/letters'

/** Pages that only name what others explain, by the names that generators give them. */
const indexPages: readonly RegExp[] = [
  // Sphinx: `genindex-A.html`; DocBook: `ix01.html`; Texinfo: `Concept-Index.html`.
  /^(?:genindex.*|(?:py-)?modindex|bookindex|ix\d+|.*-index(?:-\w+)?)$/,
  // Doxygen: members of classes, files and namespaces, and the list of classes.
  /^(?:.*-members|(?:globals|namespacemembers)(?:_\w+)?|functions_(?:[a-z]|[a-z]{4})|annotated)$/,
  // Javadoc, rustdoc, and sites of other generators.
  /^(?:index-all|allclasses(?:-\w+)?|overview-tree|all|sitemap)$/,
]
const indexPageShare = 0.3

/** The factor of the scores of a page, by the last part of its URL; 1 for most. */
export function pageShare(url: string): number {
  const path = url.replace(/[?#].*$/s, '').toLowerCase()
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '')
  return indexPages.some((names) => names.test(name)) ? indexPageShare : 1
}

/** `See Arrays`, `See: [files](#files)`, as all that a section says. */
const onlyReference = /^\W{0,4}see\b[^\n.]{1,120}\.?\s*$/i
const referenceShare = 0.5

/** The factor of the score of a section whose text only refers to others, below its title or not. */
export function referenceShareOf(title: string, text: string): number {
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '')
  const body = letters(first) === letters(title) ? rest : [first, ...rest]
  return body.length === 1 && onlyReference.test(body[0] ?? '') ? referenceShare : 1
}
