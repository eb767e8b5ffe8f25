/*
 * Letters of languages, the most frequent first. They tell which encoding makes words of bytes, so their order need not
 * be exact. Of languages with Latin letters only those beyond ASCII are told, in any order.
 */

/** Languages whose text shows its encoding, and the encodings that they are written in, the most common first. */
export interface Language {
  readonly letters: string;
  readonly encodings: readonly string[];
  /** Matches a letter of the script. */
  readonly script: RegExp;
  /** Share of the letters that `letters` cover, and number of the others in the script. */
  readonly share: number;
  readonly others: number;
}

const cyrillic = ['windows-1251', 'koi8-r', 'koi8-u', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic'];
const western = ['windows-1252', 'iso-8859-15', 'macintosh'];
const central = ['windows-1250', 'iso-8859-2'];
const baltic = ['windows-1257', 'iso-8859-13', 'iso-8859-4'];

function alphabet(encodings: readonly string[], script: RegExp, ...alphabets: readonly string[]): Language[] {
  return alphabets.map((letters) => ({ letters, encodings, script, share: 0.98, others: 60 }));
}

function latin(encodings: readonly string[], ...alphabets: readonly string[]): Language[] {
  return alphabets.map((letters) => ({ letters, encodings, script: /\p{sc=Latn}/u, share: 0.99, others: 100 }));
}

function characters(encodings: readonly string[], script: RegExp, letters: string, share: number): Language {
  return { letters, encodings, script, share, others: 6000 };
}

const hiragana =
  'のにはをたがでてとしれさいるなあもからこうすりまつきくよおそけちみどめせばだじげごえほむわぶやねろふひべゆへずびぎぐぼざぞぬぺぽぱぴぷっょゃゅん';
const katakana =
  'ンスルトーリアイラッシクレロドジタフマメテバコプオカムパサキビグニュチデブミナウエダハワセボソベポゴガネノモピケツホヘヤヨユヒ';
const kanji =
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賞訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達阪浜戸崎沖赤青黒色春夏秋冬花森林';
const simplified =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感便团往历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属包火住调满县局照参红细引听该铁价严龙飞城州沪津渝圳杭宁武汉庆湖浙苏福川贵陕甘肃疆藏蒙古吉黑辽男女姓龄黄绿蓝春夏秋冬';
const traditional =
  '的一是不了在有人我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可里後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九性通目華報立馬命張活難神數件安表原車白應路期叫常提感金何更反合放做系計或司利受光王果親界及今京務制解各任至清物台象記邊共風戰接它許八特覺望直服林題建南度統色字請交愛認算論百義科元社術結六功指思非流每青管夫連遠資隊帶花快條院變聯言權往展該領傳近留紅治決周保達辦運武半候七必城父強步完革深區即求品士轉量空技程告江語英基派滿式李寫識極令黃德收錢未持取設始版雙歷越史商千片容研像站廣改議形委早房音火際則首單據導影失網香似專石校讀志飛觀爭究包組造視濟喜離蘭優備陽雄雲縣鄉鎮號價格類型男姓齡綠藍春夏秋冬灣竹園';
const hangul =
  '이다는에의가고을를하지은한기로서사도자리인어나그아대들스시라해일수정부과만전보여있것장제원성조으안상주면와동오구우교신거마게소경비무방관위유연선적화공세중명국치학회요김계네울산용년날모음양개러미없며때문더까내말처된될할함했습니생실간바발물체민식단결당남북군법박청진영차점강번최재종현등호초파포품데려두심반후권르느터새각운토트크드프레래속질표율입출매름업불형행배합외집복분본별목편활통달설올히력향항감건금급록류립략노독득돈월홍황희환확흥색빨노란파랑검흰봄여름가을겨울천광';

/** All languages; of equal evidence the first counts. */
export const languages: readonly Language[] = [
  ...latin(
    western,
    'äöüß',
    'éèàêçâîôûùëïœæ',
    'áéíóúñü',
    'ãçáéíóúâêôõà',
    'àèéìòù',
    'åæøé',
    'åäöé',
    'áðéíóúýþæö',
    'ëïéèüö',
    'àçèéíïòóúü',
    'äàáâãåæçéèêëíìîïñóòôõöøœßúùûüýÿ',
  ),
  ...latin(
    central,
    'áčďéěíňóřšťúůýž',
    'ąćęłńóśźż',
    'áéíóöőúüű',
    'áäčďéíĺľňóôŕšťúýž',
    'čćđšž',
    'ăâîşţ',
    'áäąăâçčćďđéěęëíîłľĺňńóöőôřŕšśşťţúüůűýžźż',
  ),
  ...latin(['windows-1254'], 'çğıöşü', 'çğıöşüâ'),
  ...latin(baltic, 'ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'),
  ...latin(['iso-8859-3'], 'ĉĝĥĵŝŭ', 'ċġħż'),
  ...latin(['iso-8859-10'], 'áčđŋšŧž'),
  ...latin(['iso-8859-14'], 'ŵŷâêîôûï'),
  ...latin(['windows-1258'], 'ăâđêôơưàáèéìíòóùú\u0300\u0301\u0303\u0309\u0323'),
  ...alphabet(
    cyrillic,
    /\p{sc=Cyrl}/u,
    'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
    'оанивіретлксупдмьязгбйчхцїюжєшщфґ',
    'аоиентрсвлдпкмуягзбъчжйшщхцфью',
    'аоиенрсјтукдвмплзбгшчћцжхњђљфџ',
    'анісеорклявдўупмтзцыжгбьчхшйюэфё',
  ),
  ...alphabet(['windows-1253', 'iso-8859-7'], /\p{sc=Grek}/u, 'αοιετσνηυρπκμλςάίγόδέθωήχφύβξώζψϊϋ'),
  ...alphabet(['windows-1255', 'iso-8859-8'], /\p{sc=Hebr}/u, 'יוהלאתרבמשנםדעפחקגטצסזכךןףץ'),
  ...alphabet(
    ['windows-1256', 'iso-8859-6'],
    /\p{sc=Arab}/u,
    'اليمنرتبةدسعهفقكحجأشصطخىزإءضذئثغآظؤ',
    'انیردمهوتبسشکلزفگخقحجعپچطصآذضژغثظئ',
  ),
  ...alphabet(
    ['windows-874'],
    /\p{sc=Thai}/u,
    'านรอกเงมย่ลวดส้ต\u0E34ท\u0E35\u0E31บปะคพห\u0E37\u0E38ไ\u0E39แชขโจใผ์ศ\u0E36\u0E47ซธณษถภญฟ\u0E33ฐฉ',
  ),
  characters(['shift_jis', 'euc-jp'], /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー々]/u, hiragana + katakana + kanji, 0.8),
  characters(['gb18030'], /\p{sc=Han}/u, simplified, 0.65),
  characters(['big5', 'gb18030'], /\p{sc=Han}/u, traditional, 0.65),
  characters(['euc-kr'], /\p{sc=Hang}/u, hangul, 0.9),
];
