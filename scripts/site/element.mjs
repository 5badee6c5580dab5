/** An element of a tree of HTML. */
export const element = (tagName, properties, children) => ({
  type: 'element',
  tagName,
  properties,
  children,
})
