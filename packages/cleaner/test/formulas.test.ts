import { cleanHtml, toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'

const prose = 'Some text that is long enough to be a page of documentation. '.repeat(8)

// Formulas as libraries write and draw them: TeX if it can be had, else readable text.
test.each([
  [
    'mathjax3 chtml + assistive',
    '<p>Given <mjx-container class="MathJax CtxtMenu_Attached_0" jax="CHTML" tabindex="0"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline"><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mfrac><mn>1</mn><mi>y</mi></mfrac></math></mjx-assistive-mml></mjx-container> we have it.</p>',
    'Given $x^{2}+\\frac{1}{y}$ we have it.',
  ],
  [
    'mathjax3 chtml display block',
    '<p>Then</p><mjx-container class="MathJax" jax="CHTML" display="true"><mjx-math display="true" class="MJX-TEX"></mjx-math><mjx-assistive-mml display="block"><math display="block"><mi>a</mi><mo>=</mo><msqrt><mi>b</mi></msqrt></math></mjx-assistive-mml></mjx-container><p>end of it.</p>',
    'Then\n\n$$\na=\\sqrt{b}\n$$\n\nend of it.',
  ],
  [
    'mathjax3 svg no assistive',
    '<p>Given <mjx-container class="MathJax" jax="SVG" aria-label="x squared"><svg viewBox="0 0 10 10"><g data-mml-node="math"><path d="M1 1"/></g></svg></mjx-container> we have.</p>',
    'Given [formula: x squared] we have.',
  ],
  [
    'mathjax3 svg title/latex data',
    '<p>Given <mjx-container class="MathJax" jax="SVG"><svg><g data-mml-node="math" data-latex="x^2"><g data-mml-node="mi" data-c="1D465"></g></g></svg></mjx-container> we have.</p>',
    'Given [formula] we have.',
  ],
  [
    'mathjax4 data-latex',
    '<p>Given <mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="\\frac{a}{b}" class="MJX-TEX"><mjx-mfrac></mjx-mfrac></mjx-math></mjx-container> done.</p>',
    'Given $\\frac{a}{b}$ done.',
  ],
  [
    'mathjax3 chtml no assistive',
    '<p>Given <mjx-container class="MathJax" jax="CHTML"><mjx-math class="MJX-TEX"><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi><mjx-mo><mjx-c class="mjx-c3D"></mjx-c></mjx-mo><mjx-mn><mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-math></mjx-container> done.</p>',
    'Given $x=1$ done.',
  ],
  [
    'mathjax2 htmlcss + script',
    '<p>Given <span class="MathJax_Preview"></span><span class="MathJax" id="m1"><nobr><span class="math"><span>x2</span></span></nobr><span class="MJX_Assistive_MathML"><math><mi>x</mi></math></span></span><script type="math/tex" id="s">x^2</script> done.</p>',
    'Given $x^2$ done.',
  ],
  [
    'mathjax2 display',
    '<div class="MathJax_Display"><span class="MathJax" data-mathml="&lt;math&gt;&lt;mi&gt;q&lt;/mi&gt;&lt;/math&gt;"><nobr>q</nobr></span></div><script type="math/tex; mode=display">q=1</script><p>text</p>',
    '$$\nq=1\n$$\n\ntext',
  ],
  [
    'mathjax2 svg no script, data-mathml',
    '<p>Given <span class="MathJax_SVG" data-mathml="&lt;math xmlns=&quot;http://www.w3.org/1998/Math/MathML&quot;&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;"><svg></svg></span> done.</p>',
    'Given $x^{2}$ done.',
  ],
  [
    'mathjax2 commonhtml no script',
    '<p>Given <span class="mjx-chtml MathJax_CHTML" data-mathml="&lt;math&gt;&lt;mi&gt;z&lt;/mi&gt;&lt;/math&gt;"><span class="mjx-math"><span class="mjx-char">z</span></span></span> done.</p>',
    'Given $z$ done.',
  ],
  [
    'katex',
    '<p>Given <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>c</mi></mrow><annotation encoding="application/x-tex">c = \\pm\\sqrt{a}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>c=±√a</span></span></span> done.</p>',
    'Given $c = \\pm\\sqrt{a}$ done.',
  ],
  [
    'katex html only',
    '<p>Given <span class="katex"><span class="katex-html" aria-hidden="true"><span class="base">c=±√a</span></span></span> done.</p>',
    'Given [formula] done.',
  ],
  [
    'katex data-math',
    '<p>Given <span class="math-inline" data-math="\\alpha + \\beta"></span> and <span class="katex" data-math="x^3"></span> <div class="math-display" data-math="y = 1"></div> <span data-katex="z^2">?</span> <span data-tex="w_1"><img src="w.png"></span> done.</p>',
    'Given $\\alpha + \\beta$ and $x^3$\n\n$$\ny = 1\n$$\n\n$z^2$ $w_1$ done.',
  ],
  [
    'temml',
    '<p>Given <math class="tml-display" display="block" style="display:block math;"><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow></math> and <math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math> done.</p>',
    'Given\n\n$$\nx=1\n$$\n\nand $E=mc^2$ done.',
  ],
  [
    'mathml plain',
    '<p>Given <math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msub><mi>b</mi><mi>i</mi></msub></mfrac><mo>≤</mo><msqrt><mn>2</mn></msqrt><msup><mi>x</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mi>sin</mi></math> done.</p>',
    'Given $\\frac{a+1}{b_{i}}≤\\sqrt{2}x^{n+1}∑_{i=0}^{n}\\sin$ done.',
  ],
  [
    'mathml matrix',
    '<math display="block"><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo></math>',
    '$$\n\\begin{pmatrix}1 & 2 \\\\ 3 & 4\\end{pmatrix}\n$$',
  ],
  [
    'latex img alt',
    '<p>Given <img class="math" src="x.png" alt="\\frac{a}{b}"> and <img class="latex" src="y.png" alt="$x^2$"> and <img class="tex" alt="e^{i\\pi}" src="https://latex.codecogs.com/gif.latex?e^{i\\pi}"> and <img src="https://latex.codecogs.com/svg.image?\\int_0^1"> and <img src="img12.png" alt="$\\displaystyle \\sum_{i} x_i$"> done.</p>',
    'Given $\\frac{a}{b}$ and $x^2$ and $e^{i\\pi}$ and $\\int_0^1$ and $\\displaystyle \\sum_{i} x_i$ done.',
  ],
  [
    'codecogs noalt',
    '<p>Given <img src="https://latex.codecogs.com/svg.image?%5Cint_0%5E1%20x"> and <img src="https://render.githubusercontent.com/render/math?math=a%5E2"> <img src="https://chart.googleapis.com/chart?cht=tx&chl=b%5E2"> <img src="https://s0.wp.com/latex.php?latex=c%5E2&bg=fff" class="latex" alt="c^2"> done.</p>',
    'Given $\\int_0^1 x$ and $a^2$ $b^2$ $c^2$ done.',
  ],
  [
    'wikipedia',
    '<p>The <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math alttext="\\displaystyle x^2"><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">\\displaystyle x^{2}</annotation></semantics></math></span><img src="https://wikimedia.org/x" class="mwe-math-fallback-image-inline" alt="\\displaystyle x^{2}"></span> done.</p>',
    'The $\\displaystyle x^{2}$ done.',
  ],
  [
    'math alttext',
    '<p>Given <math alttext="\\frac{1}{2}"><mfrac><mn>1</mn><mn>2</mn></mfrac></math> done.</p>',
    'Given $\\frac{1}{2}$ done.',
  ],
  [
    'arithmatex',
    '<p>Given <span class="arithmatex">\\(x\\)</span></p><div class="arithmatex">\\[y\\]</div>',
    'Given $x$\n\n$$\ny\n$$',
  ],
  [
    'ltx',
    '<p>Given <math id="S1" class="ltx_Math" alttext="O(n\\log n)" display="inline"><semantics><mrow><mi>O</mi></mrow><annotation encoding="application/x-tex">O(n\\log n)</annotation><annotation encoding="application/x-llamapun">O</annotation></semantics></math> done.</p>',
    'Given $O(n\\log n)$ done.',
  ],
])('%s', (_name, html, expected) => {
  const page = cleanHtml(`<main><h1>T</h1><p>${prose}</p>${html}</main>`)
  const [, said = ''] = toMarkdown(page).split(prose.trim())
  expect(said.trim()).toBe(expected)
})

const teX = (mathml: string): string | undefined =>
  /^Given (.*) done\.$/m.exec(
    toMarkdown(cleanHtml(`<main><h1>T</h1><p>Given <math>${mathml}</math> done.</p></main>`)),
  )?.[1]

// Signs and attributes that make another formula of the same letters.
test.each([
  ['<mfrac linethickness="0pt"><mi>p</mi><mi>q</mi></mfrac>', '\\genfrac{}{}{0pt}{}{p}{q}'],
  ['<mfenced><mfrac linethickness="0"><mi>p</mi><mi>q</mi></mfrac></mfenced>', '\\binom{p}{q}'],
  ['<mfrac linethickness="0.5pt"><mi>p</mi><mi>q</mi></mfrac>', '\\frac{p}{q}'],
  ['<mfrac><mphantom><mi>p</mi></mphantom><mi>q</mi></mfrac>', '\\frac{}{q}'],
  ['<mover><mi>r</mi><mo>˙</mo></mover>', '\\dot{r}'],
  ['<mover accent="true"><mi>r</mi><mo>&#x20d7;</mo></mover>', '\\vec{r}'],
  ['<mover><mi>r</mi><mo>^</mo></mover>', '\\hat{r}'],
  ['<mover><mrow><mi>r</mi><mi>s</mi></mrow><mo>~</mo></mover>', '\\widetilde{rs}'],
  ['<mover><mrow><mi>r</mi><mi>s</mi></mrow><mo>‾</mo></mover>', '\\overline{rs}'],
  ['<munder><mi>r</mi><mo>_</mo></munder>', '\\underline{r}'],
  ['<mover><mo>=</mo><mtext>def</mtext></mover>', '\\overset{\\text{def}}{=}'],
  ['<munder><mi>lim</mi><mi>n</mi></munder>', '\\lim_{n}'],
  ['<munder><mi>r</mi><mi>n</mi></munder>', '\\underset{n}{r}'],
  ['<munderover><mo movablelimits="true">⊞</mo><mi>a</mi><mi>b</mi></munderover>', '⊞_{a}^{b}'],
  [
    '<mover><mover><mrow><mi>r</mi><mi>s</mi></mrow><mo>⏞</mo></mover><mi>n</mi></mover>',
    '\\overbrace{rs}^{n}',
  ],
  ['<menclose notation="box"><mi>r</mi></menclose>', '\\boxed{r}'],
  ['<menclose notation="updiagonalstrike"><mi>r</mi></menclose>', '\\cancel{r}'],
  [
    '<menclose notation="updiagonalstrike downdiagonalstrike"><mi>r</mi></menclose>',
    '\\xcancel{r}',
  ],
  ['<menclose notation="circle"><mi>r</mi></menclose>', '\\enclose{circle}{r}'],
  [
    '<mmultiscripts><mi>C</mi><mn>1</mn><none/><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>',
    '{}_{6}^{14}C_{1}',
  ],
  ['<mroot><mi>r</mi><mn>3</mn></mroot>', '\\sqrt[3]{r}'],
  ['<msup><mi mathvariant="bold">r</mi><mn>2</mn></msup>', '{\\mathbf{r}}^{2}'],
  ['<mi mathvariant="double-struck">R</mi><mo>⊂</mo><mi>ℝ</mi>', '\\mathbb{R}⊂ℝ'],
  ['<mn>x²</mn><mo>+</mo><mn>½</mn>', 'x²+½'],
  ['<mi>a</mi><mo>^</mo><mi>b</mi>', 'a\\text{^}b'],
  ['<ms>ab</ms>', '\\text{"ab"}'],
  ['<mfenced close="]" separators=";"><mi>a</mi><mi>b</mi></mfenced>', '(a; b]'],
  [
    '<mo>{</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>',
    '\\begin{cases}a & b\\end{cases}',
  ],
  [
    '<mo>|</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable><mo>|</mo>',
    '\\begin{vmatrix}a\\end{vmatrix}',
  ],
  [
    '<mtable columnalign="right left"><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>',
    '\\begin{aligned}a & b\\end{aligned}',
  ],
  [
    '<mtable columnlines="none solid"><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd><mtd><mi>c</mi></mtd></mtr></mtable>',
    '\\begin{array}{cc|c}a & b & c\\end{array}',
  ],
  [
    '<mtable><mlabeledtr><mtd><mtext>(4)</mtext></mtd><mtd><mi>a</mi></mtd></mlabeledtr></mtable>',
    'a \\tag{4}',
  ],
  ['<maction selection="2"><mi>a</mi><mi>b</mi></maction>', 'b'],
])('%s is %s', (mathml, expected) => {
  expect(teX(mathml)).toBe(`$${expected}$`)
})

test.each([
  '<mlongdiv><mn>3</mn><mn>9</mn></mlongdiv>',
  '<apply><plus/><ci>a</ci><ci>b</ci></apply>',
  '<mfenced open="["><mi>a</mi></mfenced>',
  '<mtable><mtr><mtd columnspan="2"><mi>a</mi></mtd></mtr></mtable>',
])('a formula without an equal in TeX is no other one: %s', (mathml) => {
  expect(teX(mathml)).toBe('[formula]')
})

test('a fraction that MathJax only draws is named, not guessed', () => {
  const html =
    '<p>Given <mjx-container class="MathJax" jax="CHTML"><mjx-math><mjx-mfrac><mjx-frac><mjx-num><mjx-mn><mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-num><mjx-den><mjx-mi><mjx-c class="mjx-c6E"></mjx-c></mjx-mi></mjx-den></mjx-frac></mjx-mfrac></mjx-math></mjx-container> done.</p>'
  expect(toMarkdown(cleanHtml(`<main><h1>T</h1>${html}</main>`))).toContain('Given [formula] done.')
})

test.each([
  '<div class="math"><span class="eqno">(7)<a class="headerlink" href="#q">¶</a></span>\\[a = b\\]</div>',
  '<div class="math">\\[a = b\\]<span class="label">(7)</span></div>',
  '<div class="arithmatex">$$a = b$$ (7)</div>',
])('the number of an equation stands next to it: %s', (html) => {
  const markdown = toMarkdown(cleanHtml(`<main><h1>T</h1><p>Text.</p>${html}<p>End.</p></main>`))
  expect(markdown).toContain('$$\na = b\n$$')
  expect(markdown).toMatch(/^\(7\)$/m)
})

test('several formulas in one box are several', () => {
  const html = '<div class="math">Let \\(a\\) be less than \\(b\\).</div>'
  expect(toMarkdown(cleanHtml(`<main><h1>T</h1>${html}</main>`))).toContain(
    'Let \\(a\\) be less than \\(b\\).',
  )
})
