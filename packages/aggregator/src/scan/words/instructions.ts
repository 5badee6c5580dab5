/**
 * Beginnings of words by meaning, a line a language. `_` is a blank, and a word that ends in `.` is
 * whole. Where words have no blanks between them, they are found anywhere.
 */
export const aboutInstructions = {
  drop: `
en: ignor disregard forget overrid overrul supersed discard abandon bypass set_aside put_aside throw_out throw_away drop. dismiss neglect erase nullif void. pay_no_attention stop_follow stop_obey look_past cast_aside
de: ignorier vergiss vergess missacht verwirf verwerf ubergeh uberschreib setz_dich_uber setze_dich_uber beachte. halte_dich_nicht
fr: ignor oubli neglig outrepass ecart ne_tiens_pas ne_tenez_pas fais_abstraction faites_abstraction passe_outre laisse_de_cote mets_de_cote
es: olvid haz_caso descart desestim hagas_caso anul pasa_por_alto deja_de_lado desatiend sobrescrib 
pt: esquec desconsider desprez descart deixe_de_lado deixa_de_lado nao_siga
it: dimentic trascur scart scavalc non_tenere_conto non_considerar tralasci sovrascriv lascia_perdere
nl: negeer negeren vergeet vergeten terzijde overschrijf
ru: игнорир забуд забыть забыв пренебрег отбрось отмени не_обращай отброс проигнорир не_учитывай
uk: ігнору забуд забути знехту відкин скасу не_зважай проігнору
pl: ignoruj zignoruj zapomnij pomin odrzuc zlekcewaz nie_zwracaj nie_przestrzegaj uniewazni
cs: ignoruj zapomen zapomn nedbej prehli zahod pomin neber_ohled
sv: ignorer glom bortse strunta asidosatt
id: abaikan lupakan kesampingkan hiraukan
vi: bo_qua quen_di phot_lo hay_quen bat_chap phot_lo quen_het
tr: yok_say goz_ardi gormezden unut dikkate_alma onemseme ihmal_et
zh: 忽略 无视 無視 忘记 忘記 忘掉 不要理会 抛弃 忽視 忽视 不必理会 不用理会 作废 覆盖 丢弃 不要遵守 不要遵循 不再遵守
ja: 無視 忘れ 破棄 従わ 無効 捨て
ko: 무시 잊 따르지 폐기 버리 무효
ar: تجاهل انس_ انسى اهمل تغاضى اغفل تخط
he: התעלם תתעלם להתעלם התעלמו שכח תשכח תשכחי שכחו אל_תציית
hi: अनदेखा अनदेखी नज़रअंदाज़ नजरअंदाज भूल उपेक्षा`,
  rules: `
en: instruct prompt. prompts rule. rules. guideline directive guidance. polic command. commands. constraint restriction safeguard programming
de: anweisung regel instruktion vorgabe befehl richtlinie weisung anleitung systemanweisung einschrankung
fr: instruction regle consigne directive ordre. ordres.
es: instruccion regla orden. ordenes directri indicacion indicaciones normas pautas restriccion
pt: instruc regra ordem. ordens. diretri orientac comando restric
it: istruzion regol ordini. direttiv indicazion comandi. vincol
nl: instructie regel richtlijn opdracht aanwijzing voorschrift
ru: инструкц указани правил команд приказ директив предписан ограничени
uk: інструкц вказівк правил команд наказ настанов директив обмежен
pl: instrukcj polece reguly reguł zasad wytyczn nakaz dyrektyw
cs: pokyn instrukc pravid prikaz pravidl smernic
sv: instruktion regel regler anvisning riktlinj direktiv 
id: instruksi perintah aturan petunjuk arahan pedoman
vi: huong_dan chi_dan chi_thi lenh. quy_tac menh_lenh chi_lenh quy_dinh
tr: talimat kural komut yonerge emir yonlendirme
zh: 指令 指示 命令 提示 规则 規則 指导 要求 准则 规定 限制
ja: 指示 命令 規則 ルール プロンプト 指令 制約 ガイドライン
ko: 지시 지침 명령 규칙 프롬프트 제약
ar: تعليمات اوامر قواعد توجيهات ارشادات تعليم الاوامر القواعد
he: הוראות הוראה כללים הנחיות פקודות כללי ההנחיות
hi: निर्देश नियम आदेश हिदायत`,
  prior: `
en: previous prior earlier above. preceding existing system. so_far until_now before. initial original developer safety built-in former
de: vorherig bisherig fruher obig vorig vorangegang vorangehend zuvor bislang vorher system. ursprunglich bestehend
fr: precedent anterieur ci-dessus cidessus plus_haut prealable recues jusqu_ici jusqu'ici avant. d'avant initiale initiales systeme existant
es: anterior previo previa previas previos precedent de_arriba hasta_ahora recibid antes. sistema inicial
pt: anterior previa. previas previos previamente precedent acima ate_agora recebid antes. sistema iniciai
it: precedent anterior ricevut finora sopra. prima. prim_di sistema inizial
nl: vorig eerder voorgaand bovenstaand hiervoor systeem bestaand voorafgaand
ru: предыдущ прежн прошл ранн выше ранее раньше полученн системн до_этого прежде предшеств исходн
uk: попередн раніше вище минул отриман системн дотепер колишн
pl: poprzedni wczesniejsz wczesniej powyzsz dotychczas uprzedni systemow
cs: predchozi drivejsi predesl vyse dosavadni puvodni systemov
sv: tidigare foregaende ovan forra. 
id: sebelumnya terdahulu di_atas sistem sebelum_ini
vi: truoc. truoc_do truoc_day ben_tren o_tren phia_tren he_thong da_co
tr: onceki evvelki yukaridaki daha_once simdiye_kadar sistem verilen
zh: 之前 以前 先前 此前 以上 上述 上面 前面 系统 系統 原有 既有 早先
ja: 以前 これまで 今まで 上記 前の 先の システム 既存 それまで 従来
ko: 이전 앞선 위의 기존 지금까지 앞의 시스템 앞서
ar: السابق سابق اعلاه قبل النظام المسبق
he: הקודמ קודמ לעיל מעלה לפני המערכת
hi: पिछल पूर्व पहले उपरोक्त ऊपर सिस्टम`,
  all: `
en: all. any. every everything whatever each. other. remaining built_in builtin rival competing another others. entire whole complete full. verbatim word_for_word
de: all. alle. allen. aller. alles. samtlich jede ganze gesamt ander ubrig restlich eingebaut vollstandig komplett
fr: tout. tous. toute. toutes. chaque autre complet. integral entier
es: todos todo_el todo_lo todas toda. todas otra demas otro cada completo completa. integra. integro entero. entera. cualquier | pt: tudo outro outra demais qualquer inteir inteiro inteira completo completa.
it: tutt altr ogni. intero intera. completo completa. qualsiasi
nl: alle. alles. elke. ander volledig hele. gehele | sv: alla. allt. varje andra. annat annan hela. samtliga
ru: все. всех. всю. всё всей всего любы друг остальн кажд полн цел | uk: всі. всіх усі. усіх всю. будь-як інш решт кожн повн
pl: wszystk inne innych innym innego innej pozostal kazd calą caly. całej całego calosc całość peln | cs: vsech ostatni jin kazd cely. celou cele. celeho uplny
id: semua seluruh lain setiap | vi: tat_ca moi. khac. con_lai toan_bo bat_ky | tr: tum. tumu butun diger oteki geri_kalan baska hepsi tamam
zh: 所有 全部 一切 其他 其它 其余 别的 任何 完整 每次 每个 整个 | ja: すべて 全て 他の その他 別の 残りの 他のすべて ほかの 全部 あらゆる 全文 完全 | ko: 모든 모두 다른 나머지 전체 전부 일체
ar: جميع باقي بقية غيره كل_ كافة اخرى الاخرى كامل اي_ | he: כל_ האחרים אחר כולן שאר מלא | hi: सभी सब_ अन्य बाकी दूसर पूरा पूरी किसी हर_`,
  told: `
en: told. told_you taught you_were_given you_have_been_given you_received you_learned you_know you_believe you_got asked_of_you asked_you expected_of_you
de: gesagt mitgeteilt beigebracht aufgetragen vorgegeben dir_gegeben erhalten
fr: dit. dites. appris demande. recu. recus | es: dijeron dicho dijo ensen pidieron | pt: disseram dito. ensin pediram | it: detto. insegnat chiest
nl: verteld gezegd opgedragen | sv: sagt. lart_dig fatt_hora | ru: сказал говорил учили просил | uk: казали сказано говорили вчили
pl: powiedzian mowion nauczon | cs: rekli receno naucili | id: dikatakan diajarkan diberitahu | vi: duoc_bao duoc_day da_noi duoc_noi | tr: soylenen ogretilen
zh: 被告知 告诉过你 告诉你的 学到 教你 | ja: 言われた 教えられ 聞いた 教わった | ko: 들은 배운 들었던 말한 | ar: قيل_ اخبر علمو | he: נאמר_ שאמרו שלימד | hi: बताया_ सिखाया कहा_गया`,
  void: `
en: no_longer outmoded does_not_count do_not_count doesn't_count not_apply does_not_apply is_over not_relevant irrelevant invalid outdated obsolete deprecat void. expired revoked lifted cancelled canceled broken. unsafe insecure discontinued superseded not_binding untrustworthy compromised unreliable
de: nicht_mehr zahlt_nicht gilt_nicht ungultig veraltet aufgehoben uberholt abgeschaltet hinfallig abgekundigt unsicher defekt
fr: plus_valable plus_tenu perime obsolet annul caduc n'est_plus ne_sont_plus desuet deprecie
es: ya_no obsolet caducad anulad descontinu desactualiz vencid | pt: nao_valem obsolet ja_nao mais_valid descontinu desatualiz
it: non_vale_piu non_conta_piu obsolet non_valgon annullat superat deprecat non_sono_piu scadut | nl: niet_meer niet_langer verouderd ongeldig vervallen achterhaald
ru: больше_не устарел недейств отменен утратил | uk: більше_не застаріл недійсн втратил скасован
pl: juz_nie niewazn przestarzal nieaktualn | cs: uz_ne neplat zastaral | sv: inte_langre galler_inte foraldra ogiltig utdatera
id: tidak_lagi usang tidak_berlaku kedaluwarsa | vi: khong_con het_hieu_luc loi_thoi vo_hieu | tr: artik gecersiz eski_ kullanimdan
zh: 不再 失效 无效 作废 过时 已弃用 废弃 停用 | ja: 廃止 もはや 無効 非推奨 使えなくな 古く | ko: 더_이상 무효 폐기 폐지 구식 중단
ar: لم_تعد لم_يعد قديمة ملغ لاغي عفا | he: כבר_לא אינם_תקפ בטל מיושן לא_בתוקף מיושנים | hi: अब_मान्य अमान्य पुराने रद्द अप्रचलित`,
  follow: `
en: follow obey comply adhere abide heed listen_to stick_to bound_by act_on trust.
de: befolg gehorch halte_dich folge. folgen. richte_dich | fr: suivre suis. suiv obei respecte. conforme tenu_par ecoute | es: sigue sigas siga. seguir seguir obedec cumpl hagas_caso acat | pt: siga seguir obedec cumpr
it: segui obbed rispett attien | nl: volg. volgen gehoorzaam houd_je | sv: folj lyd. | ru: следу выполня подчин слуша | uk: слідуй виконуй дотримуй керуй | pl: przestrzega stosuj wykonuj sluchaj | cs: rid. dodrzuj poslouch
id: ikuti patuhi turuti | vi: lam_theo tuan_theo nghe_theo tuan_thu | tr: uy. uyma uygula itaat takip | zh: 遵守 遵循 服从 听我 听从 执行 | ja: 従 守る 守ら | ko: 따르 따라 복종 준수 | ar: اتبع تتبع اطع امتثل التزم | he: ציית תציית פעל_לפי עקוב | hi: पालन अनुसरण मानें मानो`,
  only: `
en: only. solely exclusively nothing_else instead. just_this from_now_on henceforth from_here_on from_this_point now_on
de: nur. ausschliesslich ab_jetzt ab_sofort von_nun_an stattdessen | fr: uniquement seulement seul. desormais a_partir_de_maintenant exclusivement | es: solo. solamente unicamente desde_ahora a_partir_de_ahora exclusivamente | pt: apenas somente a_partir_de_agora exclusivamente
it: solo. soltanto unicamente d'ora_in_poi esclusivamente | nl: alleen uitsluitend vanaf_nu voortaan | sv: endast bara. fran_och_med_nu enbart | ru: только отныне с_этого_момента лишь исключительно | uk: тільки лише відтепер з_цього_моменту виключно | pl: tylko wylacznie odtad od_teraz | cs: pouze jen. odted od_ted
id: hanya mulai_sekarang saja. | vi: chi. tu_bay_gio tu_nay | tr: yalnizca sadece bundan_sonra artik. | zh: 只能 仅 只听 从现在起 从现在开始 只用 只使用 今后 | ja: だけ のみ 今後は 今から これからは | ko: 오직 만_ 이제부터 앞으로 지금부터 | ar: فقط من_الان | he: רק_ מעתה בלבד | hi: केवल अब_से सिर्फ`,
}
