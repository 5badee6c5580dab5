/** The result of a tool: text for the model; figures and names for programs. */
export interface Reply {
  text: string
  /** Must not repeat the text. */
  data: Record<string, unknown>
}
