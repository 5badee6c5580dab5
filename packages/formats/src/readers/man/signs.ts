/** Names before their values, as in groff_char(7). */
export const signs: ReadonlyMap<string, string> = byName(`
  != ≠ %0 ‰ 'A Á 'C Ć 'E É 'I Í 'O Ó 'U Ú 'Y Ý 'a á 'c ć 'e é 'i í 'o ó 'u ú 'y ý ** ∗ *A Α *B Β
  *C Ξ *D Δ *E Ε *F Φ *G Γ *H Θ *I Ι *K Κ *L Λ *M Μ *N Ν *O Ο *P Π *Q Ψ *R Ρ *S Σ *T Τ *U Υ *W Ω
  *X Χ *Y Η *Z Ζ *a α *b β *c ξ *d δ *e ε *f ϕ *g γ *h θ *i ι *k κ *l λ *m μ *n ν *o ο *p π *q ψ
  *r ρ *s σ *t τ *u υ *w ω *x χ *y η *z ζ +- ± +e ϵ +f φ +h ϑ +p ϖ ,C Ç ,c ç -+ ∓ -> → -D Ð -h ℏ
  .i ı .j ȷ /L Ł /O Ø /_ ∠ /l ł /o ø 12 ½ 14 ¼ 18 ⅛ 34 ¾ 38 ⅜ 3d ∴ 58 ⅝ 78 ⅞ :A Ä :E Ë :I Ï :O Ö
  :U Ü :Y Ÿ :a ä :e ë :i ï :o ö :u ü :y ÿ <- ← << ≪ <= ≤ <> ↔ == ≡ =~ ≅ >= ≥ >> ≫ AE Æ AN ∧ Ah ℵ
  Bq „ CL ♣ CR ↵ Cs ¤ DI ♦ Do $ Eu € Fc » Fi ffi Fl ffl Fn ƒ Fo « HE ♥ IJ Ĳ Im ℑ Lq “ OE Œ OK ✓
  OR ∨ Of ª Om º Po £ Re ℜ Rq ” S1 ¹ S2 ² S3 ³ SP ♠ Sd ð TP Þ Tp þ Ye ¥ ^A Â ^E Ê ^I Î ^O Ô ^U Û
  ^a â ^e ê ^i î ^o ô ^u û \`A À \`E È \`I Ì \`O Ò \`U Ù \`a à \`e è \`i ì \`o ò \`u ù a" ˝ a- ¯
  a. ˙ a^ ^ aa ´ ab ˘ ac ¸ ad ¨ ae æ ah ˇ an ⎯ ao ˚ ap ∼ aq ' at @ a~ ~ ba | bb ¦ bq ‚ br │ bu •
  bv ⎪ c* ⊗ c+ ⊕ ca ∩ ci ○ co © cq ’ ct ¢ cu ∪ dA ⇓ da ↓ dd ‡ de ° dg † di ÷ dq " em — en – eq =
  es ∅ eu € f/ ⁄ fa ∀ fc › ff ff fi fi fl fl fm ′ fo ‹ ga \` gr ∇ hA ⇔ ha ^ ho ˛ hy ‐ ib ⊆ if ∞
  ij ĳ ip ⊇ is ∫ lA ⇐ lB [ lC { la ⟨ lb ⎩ lc ⌈ lf ⌊ lh ☜ lk ⎨ lq “ lt ⎧ lz ◊ mc µ md ⋅ mi − mo ∈
  mu × nb ⊄ nc ⊅ ne ≢ nm ∉ no ¬ oA Å oa å oe œ oq ‘ or | pc · pd ∂ pl + pp ⊥ ps ¶ pt ∝ r! ¡ r? ¿
  rA ⇒ rB ] rC } ra ⟩ rb ⎭ rc ⌉ rf ⌋ rg ® rh ☞ rk ⎬ rn ‾ rq ” rs \\ rt ⎫ ru _ sb ⊂ sc § sd ″ sh #
  sl / sp ⊃ sq □ sr √ ss ß st ∋ te ∃ tf ∴ ti ~ tm ™ ts ς uA ⇑ ua ↑ ul _ vA ⇕ vS Š vZ Ž va ↕ vs š
  vz ž wp ℘ |= ≃ ~= ≈ ~A Ã ~N Ñ ~O Õ ~a ã ~n ñ ~o õ ~~ ≈ braceex ⎪ braceleftbt ⎩ braceleftex ⎪
  braceleftmid ⎨ bracelefttp ⎧ bracerightbt ⎭ bracerightex ⎪ bracerighttp ⎫ coproduct ∐ hbar ℏ
  integral ∫ parenleftbt ⎝ parenleftex ⎜ parenlefttp ⎛ parenrightbt ⎠ parenrightex ⎟ parenrighttp
  ⎞ product ∏ sqrt √ sum ∑ t+- ± tdi ÷ tmu × tno ¬`)

/** Strings that man, mdoc or groff defines; a sign that has the same name and value is not repeated. */
export const strings: ReadonlyMap<string, string> = byName(`
  Ai ANSI Am & Ba | Ge ≥ Gt > If ∞ Le ≤ Lt < Na NaN Ne ≠ Pi π Pm ± Px POSIX Tm ™ lp ( rp ) ' ´ R
  ® \` \` q " left-bracket [ right-bracket ] left-parenthesis ( right-parenthesis )
  left-singlequote ‘ right-singlequote ’ .T utf8`)

function byName(text: string): Map<string, string> {
  const words = text.trim().split(/\s+/)
  return new Map(words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1] ?? name]] : [])))
}
