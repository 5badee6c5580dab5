/** What a tool answers: text for the model, and about it, for programs, figures and names. */
export interface Reply {
  text: string
  /** Never the text again. */
  data: Record<string, unknown>
}
