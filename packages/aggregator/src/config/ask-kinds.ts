/**
 * What servers may ask clients: `form` and `url` are elicitations, by a form and by opening a page;
 * `sampling` lets a client's model write; `roots` are the folders of a client.
 */
export const askKinds = ['form', 'url', 'sampling', 'roots'] as const
export type AskKind = (typeof askKinds)[number]
