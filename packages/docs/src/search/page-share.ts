/** Pages that only name what others explain, or explain what was, and the factors of their scores. */
const shares: readonly (readonly [share: number, names: RegExp])[] = [
  // Sphinx: `genindex-A.html`; DocBook: `ix01.html`; Texinfo: `Concept-Index.html`.
  [0.3, /^(?:genindex.*|(?:py-)?modindex|bookindex|ix\d+|.*-index(?:-\w+)?)$/],
  // Doxygen: members of classes, files and namespaces, and the list of classes.
  [
    0.3,
    /^(?:.*-members|(?:globals|namespacemembers)(?:_\w+)?|functions_(?:[a-z]|[a-z]{4})|annotated)$/,
  ],
  // Javadoc, rustdoc, and sites of other generators.
  [0.3, /^(?:index-all|allclasses(?:-\w+)?|overview-tree|all|sitemap)$/],
  [0.6, /^(?:change-?logs?|changes|news|whats-?new|release-?notes)(?:[-_.\d].*)?$/],
  [0.6, /^(?:releases?|migrations?)[-_](?:v?\d.*)$/],
]

/** Folders of pages for one release each. */
const pastFolder = /\/(?:changelogs?|whatsnew|releases|release-notes)\/[^/]*$/

/** The factor of a page by the last part of its URL; 1 for most. */
export function pageShare(url: string): number {
  const path = `/${url.replace(/[?#].*$/s, '').toLowerCase()}`
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '')
  const share = shares.find(([, names]) => names.test(name))?.[0]
  return share ?? (pastFolder.test(path) ? 0.6 : 1)
}
