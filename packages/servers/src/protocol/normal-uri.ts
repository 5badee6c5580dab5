/**
 * Parts that a server may read as another path: empty and dot segments, encoded dots and slashes,
 * backslashes. The host of a file is empty.
 */
const odd =
  /%2e|%2f|%5c|\\|(?<!^[a-z][\w+.-]*:|^file:\/)\/\/|(?:^[a-z][\w+.-]*:|\/)\.{1,2}(?=\/|$)/i

/** False for a spelling that normalisation (RFC 3986, 6.2.2) or a lenient server would change. */
export const isNormalUri = (uri: string): boolean => !odd.test(uri.replace(/[?#].*$/s, ''))

/** True for blanks and control characters, which parsers of URLs remove. */
export const hasBlanks = (uri: string): boolean => /[\s\p{C}]/u.test(uri)

/**
 * What is compared: as the parser of URLs writes it (ports, empty hosts, dots, letters that are not
 * ASCII), without query and fragment, unreserved characters decoded, case folded.
 */
export const comparedUri = (uri: string): string =>
  (URL.canParse(uri) ? new URL(uri).href : uri)
    .replace(/[?#].*$/s, '')
    .replace(/%(?:2d|5f|7e|3\d|[46][1-9a-f]|[57][\da])/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    )
    .toLowerCase()

/** The scheme in lower case; undefined without one, or if an expression of a template begins it. */
export const schemeIn = (uri: string): string | undefined =>
  /^([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
