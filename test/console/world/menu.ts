interface MenuGroup {
  items: readonly { path: string; name: string }[]
}

// Not by a literal: the type check of the tests has neither JSX nor the types of a browser.
const file = new URL('../../../packages/console/web/app/pages.tsx', import.meta.url).href
const { pages }: { pages: readonly MenuGroup[] } = await import(file)

/** The pages of the navigation of the console, in its order. */
export const menu = pages.flatMap(({ items }) => items)
