import type { Page } from '@pith-mcp/cleaner'
import { DocsError, quoteValue } from '#formats/docs-error'

const signInPath = /\/(?:log-?in|logon|sign[-_]?in|sso|saml2?|oauth2?|authorize|auth)(?:[/.]|$)/i
const passwordField = /<input\b[^<>]{0,500}\btype\s*=\s*["']?password/i
/** Characters: a page of documentation that has a password field has more text. */
const shortText = 1_000

/**
 * A page about signing in is not a sign-in page: that one has little text and a password field, or
 * a redirect led to it that names the requested page or another host.
 *
 * @throws {DocsError} `unreachable`, with status 401
 */
export async function checkSignIn(
  requested: string,
  html: string,
  page: Page,
  remedyFor: (url: string) => Promise<string>,
): Promise<void> {
  const [from, to] = [new URL(requested), new URL(page.url)]
  const blocks = page.sections.flatMap((section) => section.blocks)
  const isShort = blocks.reduce((sum, { markdown }) => sum + markdown.length, 0) < shortText
  const isSentTo = signInPath.test(to.pathname) && !signInPath.test(from.pathname)
  const returns = [...to.searchParams.values()].some((value) => value.includes(from.pathname))
  const isForeign = from.host !== to.host
  if (!(isShort && passwordField.test(html)) && !(isSentTo && (returns || isForeign))) return
  throw new DocsError(
    'unreachable',
    `${quoteValue(requested)} ${from.href === to.href ? 'is' : 'redirects to'} a sign-in page: ${quoteValue(page.url)}.`,
    await remedyFor(requested),
    { status: 401 },
  )
}
