/** The beginning of a reply that is too long, and a line that states its `size`. */
export const cutReply = (text: string, at: number, size: string): string =>
  `${text.slice(0, at)}\n[cut: the reply had ${size}]`
