/** Errors are ignored: the opener may fail long after it was started. */
export async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open')
  const child = await open(url)
  child.on('error', () => {})
}
