import type { Page } from '@pith-mcp/cleaner'
import { LRUCache } from 'lru-cache'
import { isNamedText } from '#formats/page-format'
import type { PageSource } from '../protocol/origin.ts'
import type { PageStore, StoredPage } from './cache/page-store.ts'

type Spelling = 'plain' | 'full' | 'index'

/** How sites derive the path of a page's Markdown from the path of the page. */
const spellings: Readonly<Record<Spelling, (path: string) => string>> = {
  /** `page.md` for `page.html` and `page/`. */
  plain: (path) => `${bare(path) || '/index'}.md`,
  /** `.md` appended to the whole name, as llms.txt proposes. */
  full: (path) => `${path.endsWith('/') ? `${path}index.html` : path}.md`,
  /** `page/index.md` for `page/`. */
  index: (path) => (path.endsWith('/') ? `${path}index.md` : `${bare(path)}.md`),
}

const bare = (path: string): string => path.replace(/\.x?html?$/i, '').replace(/\/(?:index)?$/, '')

const names = Object.keys(spellings) as Spelling[]

/** Which form of its pages a host is read in; undefined until two forms of a page were compared. */
type Form = 'html' | 'negotiated' | Spelling

/** After this many pages without Markdown, plus as many for each page that had some: HTML. */
const enoughMisses = 4
const maxHosts = 500
/** Milliseconds after which a host is compared again; sites change their generators. */
const validMs = 7 * 24 * 60 * 60_000

/** What is known of the Markdown of one host. */
export class HostForm {
  form: Form | undefined
  /** How the Markdown was found first. */
  source: PageSource = 'variant'
  #hits = 0
  #misses = 0
  #last: Page | undefined
  /** Kinds of pages whose two forms were compared. */
  readonly #compared = new Set<string>()
  readonly #save: (note: Record<string, string>) => void

  constructor(note: Record<string, string>, save: (note: Record<string, string>) => void) {
    this.#save = save
    const { form, source, compared = '', at } = note
    if (form === undefined || Date.now() - Number(at) > validMs) return
    this.form = form as Form
    this.source = source as PageSource
    for (const kind of compared.split(' ')) this.#compared.add(kind)
  }

  /** URLs at which the Markdown of a page may be, each once; empty for a host read as HTML. */
  candidates(url: string): string[] {
    const { origin, pathname, search } = new URL(url)
    if (this.form === 'html' || this.form === 'negotiated' || search !== '') return []
    if (isNamedText(pathname) || /\.(?:xml|json)$/i.test(pathname)) return []
    const forms = this.form === undefined ? names : [this.form]
    return [...new Set(forms.map((name) => origin + spellings[name](pathname)))]
  }

  /**
   * True for the first page of a host, the first with code, the first with braces in its code, and
   * for a text that the host also sent for the page before.
   */
  mustCompare(page: Page): boolean {
    const last = this.#last
    const isRepeated = last?.url !== page.url && startOf(page) === (last && startOf(last))
    this.#last = page
    return isRepeated || kindsOf(page).some((kind) => !this.#compared.has(kind))
  }

  /** Record Markdown that was used for a page. */
  accept(url: string, { finalUrl, source, page }: StoredPage): void {
    this.#hits++
    const { origin, pathname } = new URL(url)
    const spelling = names.find((name) => origin + spellings[name](pathname) === finalUrl)
    this.form = source === 'negotiated' ? source : (spelling ?? this.form ?? 'html')
    this.source = source
    this.#last = page
    for (const kind of kindsOf(page)) this.#compared.add(kind)
    this.#keep()
  }

  /** Record a page without Markdown; some sites have that of most pages only. */
  miss(): void {
    if (++this.#misses >= enoughMisses * (this.#hits + 1)) this.reject()
  }

  /** Read the host as HTML from now on. */
  reject(): void {
    if (this.form === 'html') return
    this.form = 'html'
    this.#keep()
  }

  #keep(): void {
    const compared = [...this.#compared].join(' ')
    this.#save({ form: this.form ?? '', source: this.source, compared, at: `${Date.now()}` })
  }
}

/** The form of each host, in the store of pages, so that other processes need not compare again. */
export function createHostForms(store: PageStore): (url: string) => Promise<HostForm> {
  const forms = new LRUCache<string, HostForm>({
    max: maxHosts,
    fetchMethod: async (host) => {
      const key = `form of ${host}`
      const note = await store.note(key).catch(() => undefined)
      return new HostForm(note ?? {}, (changed) => void store.setNote(key, changed).catch(() => {}))
    },
  })
  return (url) => forms.forceFetch(new URL(url).host)
}

function kindsOf({ sections }: Page): string[] {
  const code = sections.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'code')
  const hasBraces = code.some(({ markdown }) => markdown.includes('{{'))
  return ['page', ...(code.length > 0 ? ['code'] : []), ...(hasBraces ? ['braces'] : [])]
}

const startOf = ({ sections }: Page): string => JSON.stringify(sections.slice(0, 3)).slice(0, 1_000)
