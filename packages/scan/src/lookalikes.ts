/**
 * Letters that look like Latin ones, a line for each: `confusables.txt` of UTS 39, version 17.0.0
 * (https://www.unicode.org/Public/17.0.0/security/confusables.txt), as far as one letter stands for
 * one letter of A to Z that it does not decompose to; without Arabic, Hebrew and scripts of South and
 * East Asia. A capital is here if it looks like another letter than the small one. Added by their
 * shape: small capitals, and Greek and Cyrillic letters.
 */
const lookalikes = `
a ɑαаᎪᗅꓮ𖽀𐊠ᴀ
b ƅьᏏᑲᖯ𖺶ꞵβⲂᏴᗷꓐ𐊂𐊡𐌁ɓᑳƃƀҍѣʙвб
c ᴄⲥсꮯ𐐽ꓚ𐊢𐌂𐔜ȼҫ¢ς
d ԁᏧᑯꓒᎠᗞᗪꓓɗɖƌđᴅðժ
e ꬲеҽⴹᎬꓰ𑢦𑢮𐊆ɇҿᴇɘǝəєεɛэ
f ꬵꞙƒẝքϝᖴꓝ𑣂𐊇𐊥𐔥ᵮꜰ
g ɡᶃƍցԍᏀᏳꓖɠǥɢ
h һհᏂΗⲎᎻᕼꓧ𐋏ɦꚕᏲⱨңħћӊӈʜн
i ıɪɩιⲓіꙇւꭵ𑣃ɨᵻᵼ
j ϳјʝᎫᒍꓙɉᴊ
k ⲔᏦᛕꓗ𐔘ƙⱪқꝁҟᴋкκ
l ǀӏߊⵏᛁꓲ𖼨𐊊𐌉𑷚𖺪Ꮮᒪꓡ𖼖𑢣𑢲𐐛𐔦łɭƚɫʟλ
m ΜϻⲘᎷᗰᛖꓟ𐊰𐌑ӎᴍмɱ
n ոռΝⲚꓠ𐔓ɳƞŋηղɲᵰɴᴎип
o ᴏᴑꬽοσⲟϭоჿօ𐓪𑣈𑣗𐐬ⵔዐꓳ𑢵𐊒𐊫𐔖øꬾⵁɵꝋⲑөѳꮎꮻθⴱꭴთ
p þƿρϸⲣⳏрᏢᑭꓑ𐊕ƥᵽᴘ
q ԛգզⵕʠꞯ
r ꭇꭈᴦⲅгꮁᎡᏒ𐒴ᖇꓣ𖼵ɽɼɍғᵲяɾʀґ
s ꜱƽѕꮪ𑣁𐑈ՏᏕꓢ𖼺𐊖ʂᵴ
t ⲦᎢꓔ𖼊𑢼𐊗𐊱𐌕ƭⱦʈҭŧᵵᴛтτԵ
u ꞟᴜꭎꭒʋυս𐓶𑣘ሀᑌꓴ𖽂џᵾꮜʉцμ
v ᴠνѵ𑜆ꮩ𑣀ⴸᐯꛟꓦ𖼈𐔝
w ɯᴡⲽѡшԝա𑜊𑜎𑜏ꮃᏔꓪѽ𑓅ꝡωщ
x хᕁᕽꭓⲬⵝᚷꓫ𐊐𐊴𐌗𐔧ҳχж
y ɣᶌʏỿꭚγⲩуүყ𑣜ΥᎩᎽꓬ𖽃𑢤𐊲ƴɏұ
z ᴢꮓ𑣄ζꓜ𑢩ʐƶȥᵶз`

export const latinOfLookalike: ReadonlyMap<string, string> = new Map(
  lookalikes
    .trim()
    .split('\n')
    .flatMap((line) => [...line.slice(2)].map((sign) => [sign, line.charAt(0)] as const)),
)

/** Words that are named, and characters of a text that are read. */
const maxWords = 10
const maxRead = 100_000

/** Words with Latin letters, and with letters of other scripts that look like such. */
export function mixedWords(text: string): string[] {
  const words = text.slice(0, maxRead).match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? []
  const isMixed = (word: string): boolean =>
    /\p{Script=Latin}/u.test(word) &&
    Array.from(word).some(
      (sign) => latinOfLookalike.has(sign) && !/[\p{Script=Latin}\p{N}]/u.test(sign),
    )
  return [...new Set(words.filter(isMixed))].slice(0, maxWords)
}
