/** The content of a `<meta>` of a page. */
export function metaOf(html: string, name: string): string | undefined {
  const tag = new RegExp(`<meta\\b[^<>]{0,300}\\bname=["']?${name}["'\\s][^<>]{0,1000}>`, 'i').exec(
    html,
  )
  const content = /\bcontent=(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s>]{1,500}))/i.exec(
    tag?.[0] ?? '',
  )
  return content?.[1] ?? content?.[2] ?? content?.[3]
}

/** Docusaurus, and Read the Docs. */
const metaNames = ['docusaurus_version', 'docsearch:version', 'readthedocs-version(?:-slug)?']

/** The version of the documentation that a page states in its head. */
export function versionInPage(html: string): string | undefined {
  const head = html.slice(0, 2 ** 16)
  const versions = metaNames.map((name) => metaOf(head, name)?.trim())
  return versions.find((version) => /^[\w.+-]{1,40}$/.test(version ?? ''))
}

const versionPart =
  /^(?:v?\d+(?:\.\d+)+(?:\.x)?(?:[-.]?(?:alpha|beta|rc|lts)[-.]?\d*)?|v\d+|\d+\.x|stable|latest)$/i
/** Folders whose parts are versions of something else than the documentation. */
const otherFolders = /^(?:releases?|release-notes|blog|news|changelog|downloads?)$/i
/** Versions stand near the beginning of a path. */
const maxParts = 4

/** The version that the path of an address states; a number alone may be anything. */
export function versionInAddress(url: string): string | undefined {
  const parts = new URL(url).pathname.split('/').slice(1, -1).slice(0, maxParts)
  const at = parts.findIndex((part) => versionPart.test(part))
  return parts.slice(0, Math.max(0, at)).some((part) => otherFolders.test(part))
    ? undefined
    : parts[at]
}
