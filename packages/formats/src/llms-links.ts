/** `- [Title](url): description`, the link format of llms.txt. */
const link =
  /\[([^[\]\n]{1,500})\]\( {0,9}<?([^\s()[\]<>]{1,2000})(?=[\s>)])>?(?:\s[^()[\]\n]{0,300})?\)/g

const maxAboutLength = 500

export interface LlmsLink {
  url: string
  title: string
  about: string
}

/** The links of an llms.txt: each URL once, without its fragment. */
export function llmsLinks(text: string, base: string): LlmsLink[] {
  const links = new Map<string, LlmsLink>()
  for (const { index, 0: match, 1: title = '', 2: target = '' } of text.matchAll(link)) {
    if (!URL.canParse(target, base)) continue
    const url = new URL(target, base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || links.has(url.href)) continue
    const end = index + match.length
    const [rest = ''] = text.slice(end, end + maxAboutLength).split('\n', 1)
    const about = rest.replace(/^\s*[:–—-]\s*/, '').trim()
    links.set(url.href, { url: url.href, title: title.trim(), about })
  }
  return [...links.values()]
}
