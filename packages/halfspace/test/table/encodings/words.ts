import { windows1252Character } from '../../../src/table/encodings/windows-1252.ts';

/** Words of tables in many languages, and the encodings that people save them in. */
export interface WordsOf {
  readonly language: string;
  readonly encodings: readonly string[];
  readonly words: readonly string[];
}

const list = (language: string, encodings: string, words: string): WordsOf => ({
  language,
  encodings: encodings.split(' '),
  words: words.split(' '),
});

export const wordsOfLanguages: readonly WordsOf[] = [
  list(
    'Russian',
    'windows-1251 koi8-r iso-8859-5 ibm866 x-mac-cyrillic',
    'город Москва Казань Новосибирск имя возраст мужчина женщина цена товар дата количество улица школа учитель врач инженер да нет красный синий зелёный Екатеринбург Самара Омск хорошо плохо средний высокий низкий адрес телефон отзыв доставка заказ покупатель ИТОГО СУММА день неделя январь февраль март апрель',
  ),
  list(
    'Ukrainian',
    'windows-1251 koi8-u iso-8859-5',
    'місто Київ Львів Харків Одеса Дніпро вік чоловік жінка ціна товар дата кількість вулиця школа вчитель лікар інженер так ні червоний синій зелений добре погано середній високий низький адреса відгук доставка замовлення покупець їжак єдність серпень вересень',
  ),
  list(
    'Bulgarian',
    'windows-1251 iso-8859-5',
    'град София Пловдив Варна Бургас име възраст мъж жена цена стока дата количество улица училище учител лекар инженер да не червен син зелен добре лошо среден висок нисък адрес отзив доставка поръчка купувач януари',
  ),
  list(
    'Serbian',
    'windows-1251 iso-8859-5',
    'град Београд Нови Сад Ниш име старост мушкарац жена цена роба датум количина улица школа учитељ лекар инжењер да не црвена плава зелена добро лоше висок низак адреса пошта куповина љубав ђак чекић',
  ),
  list(
    'Greek',
    'windows-1253 iso-8859-7',
    'πόλη Αθήνα Θεσσαλονίκη Πάτρα όνομα ηλικία άνδρας γυναίκα τιμή προϊόν ημερομηνία ποσότητα δρόμος σχολείο δάσκαλος γιατρός μηχανικός ναι όχι κόκκινο μπλε πράσινο καλό κακό μέτριο υψηλό χαμηλό διεύθυνση παράδοση παραγγελία πελάτης ΣΥΝΟΛΟ Ιανουάριος',
  ),
  list(
    'Hebrew',
    'windows-1255 iso-8859-8',
    'עיר ירושלים חיפה אביב שם גיל גבר אישה מחיר מוצר תאריך כמות רחוב מורה רופא מהנדס כן לא אדום כחול ירוק טוב רע בינוני גבוה נמוך כתובת משלוח הזמנה לקוח ינואר שבוע',
  ),
  list(
    'Arabic',
    'windows-1256 iso-8859-6',
    'مدينة القاهرة الرياض بغداد اسم العمر رجل امرأة السعر المنتج التاريخ الكمية شارع مدرسة معلم طبيب مهندس نعم لا أحمر أزرق أخضر جيد سيئ متوسط مرتفع منخفض العنوان التوصيل الطلب العميل يناير أسبوع',
  ),
  list(
    'Thai',
    'windows-874',
    'เมือง กรุงเทพ เชียงใหม่ ภูเก็ต ชื่อ อายุ ชาย หญิง ราคา สินค้า วันที่ จำนวน ถนน โรงเรียน ครู แพทย์ วิศวกร ใช่ ไม่ใช่ แดง น้ำเงิน เขียว ดี ไม่ดี ปานกลาง สูง ต่ำ ที่อยู่ จัดส่ง ลูกค้า มกราคม',
  ),
  list(
    'Japanese',
    'shift_jis euc-jp',
    '都市 東京 大阪 京都 札幌 名前 年齢 男性 女性 価格 商品 日付 数量 学校 先生 医者 はい いいえ 赤 青 緑 良い 悪い 普通 高い 低い 住所 電話 評価 配送 注文 顧客 カテゴリ データ サンプル テスト 一月 北海道 神奈川県 ありがとう とても 満足',
  ),
  list(
    'Chinese, simplified',
    'gb18030 gbk',
    '城市 北京 上海 广州 深圳 成都 姓名 年龄 男 女 价格 商品 日期 数量 街道 学校 老师 医生 工程师 是 否 红色 蓝色 绿色 很好 不好 一般 高 低 地址 电话 评论 快递 订单 客户 一月 类别 标签 浙江省 电影 喜欢',
  ),
  list(
    'Chinese, traditional',
    'big5',
    '城市 台北 高雄 台中 新竹 姓名 年齡 男 女 價格 商品 日期 數量 街道 學校 老師 醫生 工程師 是 否 紅色 藍色 綠色 很好 不好 普通 高 低 地址 電話 評論 快遞 訂單 客戶 一月 類別 標籤 桃園市 電影 喜歡',
  ),
  list(
    'Korean',
    'euc-kr',
    '도시 서울 부산 대구 인천 이름 나이 남자 여자 가격 상품 날짜 수량 거리 학교 선생님 의사 엔지니어 예 아니요 빨강 파랑 초록 좋음 나쁨 보통 높음 낮음 주소 전화 리뷰 배송 주문 고객 일월 분류 경기도 영화 감사합니다',
  ),
  list(
    'German',
    'windows-1252 iso-8859-15 macintosh',
    'Stadt Köln Zürich München Düsseldorf Größe männlich weiblich Straße Gemüse Käse schön grün weiß Österreich ähnlich über für Bär Tür süß Lösung Prüfung Fläche Qualität Verkäufer Ärztin März nächste',
  ),
  list(
    'French',
    'windows-1252 iso-8859-15 macintosh',
    'ville Orléans Besançon Nîmes prénom âge été qualité très mauvaise élève médecin ingénieur août février décembre cœur œuvre forêt château garçon où déjà Noël naïf reçu société marché café crème',
  ),
  list(
    'Spanish',
    'windows-1252 iso-8859-15',
    'ciudad León Málaga Córdoba niño año España sí también mañana médico corazón después información teléfono dirección número avión pequeño señora baño pingüino género página público Mérida',
  ),
  list(
    'Portuguese',
    'windows-1252 iso-8859-15',
    'São Paulo Brasília Goiânia não coração mão irmão também você preço endereço número avaliação médio água três pão país útil órgão saúde política Ceará Amapá',
  ),
  list(
    'Danish',
    'windows-1252 iso-8859-15',
    'Århus Ålborg København Ærø rød grøn blå ø æble skole lærer læge år måned uge pris høj lav dårlig god køb smørrebrød fløde kærlighed',
  ),
  list(
    'Czech',
    'windows-1250 iso-8859-2',
    'město Plzeň Žďár Brno Ústí příjmení věk muž žena cena zboží datum množství ulice škola učitel lékař inženýr ano červená modrá zelená dobře špatně průměr vysoký nízký adresa hodnocení zákazník leden únor březen',
  ),
  list(
    'Polish',
    'windows-1250 iso-8859-2',
    'miasto Łódź Kraków Gdańsk Poznań imię wiek mężczyzna kobieta cena ilość ulica szkoła nauczyciel lekarz inżynier czerwony żółty zielony dobrze źle średni wysoki niski opinia zamówienie klient styczeń październik',
  ),
  list(
    'Hungarian',
    'windows-1250 iso-8859-2',
    'város Győr Pécs Székesfehérvár név kor férfi nő ár termék dátum mennyiség utca iskola tanár orvos mérnök igen nem piros kék zöld jó rossz közepes magas alacsony cím szállítás rendelés vevő szükség hűtő',
  ),
  list(
    'Turkish',
    'windows-1254',
    'şehir İstanbul İzmir Diyarbakır Eskişehir yaş erkek kadın fiyat ürün tarih sokak öğretmen mühendis evet hayır kırmızı mavi yeşil iyi kötü yüksek düşük adres sipariş müşteri ocak şubat ağustos çok güzel',
  ),
  list(
    'Lithuanian',
    'windows-1257 iso-8859-13',
    'miestas Šiauliai Panevėžys Klaipėda vardas amžius vyras moteris kaina prekė kiekis gatvė mokykla gydytojas inžinierius taip žalia mėlyna gerai blogai aukštas žemas siuntimas užsakymas pirkėjas rugpjūtis',
  ),
];

const encoders = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Returns the bytes of each character in an encoding: the platform decodes all bytes and pairs of bytes. */
function encoderOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = encoders.get(encoding);
  if (known !== undefined) return known;
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: readonly number[]) => {
    try {
      // Some versions of Node decode windows-1252 as ISO 8859-1.
      const isWestern = encoding === 'windows-1252' && bytes[0]! >= 0x80;
      const character = isWestern ? windows1252Character(bytes[0]!) : decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, bytes);
    } catch {
      // The bytes are no character.
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  if (table.size < 200)
    for (let first = 0x81; first < 255; first++) for (let next = 0x40; next < 255; next++) add(first, next);
  encoders.set(encoding, table);
  return table;
}

/** Encodes text. @throws RangeError for a character that the encoding lacks. */
export function encoded(text: string, encoding: string): Uint8Array {
  const table = encoderOf(encoding);
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new RangeError(`${encoding} lacks ${character}`);
      return bytes;
    }),
  );
}
