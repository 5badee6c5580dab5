/** The code of the link that was opened, taken out of the address bar and the history. */
export function takeCode(): string | undefined {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
