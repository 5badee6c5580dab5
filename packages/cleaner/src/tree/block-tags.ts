export const blockTags: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center dd details dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol
  p plaintext pre section summary table tbody td tfoot th thead tr ul xmp`.split(/\s+/),
)

/** Tags of inline code. */
export const codeTags: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt'])
