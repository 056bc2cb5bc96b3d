import { createHash } from 'node:crypto'
import type { Tier } from '@turnpike/routing'
import { seededRandom } from './random.ts'
import { syntheticSource, type Row } from './rows.ts'

/* Everyday requests that benchmarks do not contain: greetings, thanks, small talk, a word to translate, an
   agent's small tasks. Without them, a scorer would treat every "hi" like an exam question. */

const splitList = (text: string): string[] => text.split('|').map((one) => one.trim())

const openers = splitList(`
  hi | hello | hey | hey there | good morning | good evening | hi there! | hello, how are you? | yo |
  how are you today? | what's up? | thanks | thank you so much! | great, thanks | perfect, that works |
  bye | good night | see you later | nice | cool | got it | ok thanks | lol | who are you? |
  what can you do? | what is your name? | are you there? | can you help me? | test | testing | ping |
  hola | buenos días | gracias | ¿cómo estás? | ¿qué tal? | hasta luego | bonjour | salut |
  merci beaucoup | ça va ? | bonne nuit | hallo | guten Tag | guten Morgen | danke | danke schön |
  wie geht es dir? | tschüss | ciao | grazie | buongiorno | come stai? | olá | bom dia | obrigado |
  tudo bem? | привет | здравствуйте | спасибо | как дела? | пока | cześć | dzień dobry | dziękuję |
  merhaba | teşekkürler | nasılsın? | xin chào | cảm ơn | 你好 | 谢谢 | 早上好 | 你是谁？ | 再见 | こんにちは | おはよう |
  ありがとう | 元気ですか？ | 안녕하세요 | 감사합니다 | 잘 지내요? | नमस्ते | धन्यवाद | आप कैसे हैं? | مرحبا | شكرا | كيف حالك؟ |
  สวัสดี | ขอบคุณ | হ্যালো | ধন্যবাদ | నమస్కారం | habari | asante sana | hujambo
`)

const phrases = splitList(`
  good morning | thank you | where is the station? | I am hungry | see you tomorrow | how much is it? |
  water | the weather is nice today | happy birthday | my name is Anna | the book is on the table |
  I love you | the meeting starts at nine | please close the door | cat | library | friend |
  the train is late
`)

const languages = splitList(`
  French | Spanish | German | Italian | Japanese | Chinese | Russian | Korean | Portuguese
`)

const files = splitList(`
  package.json | README.md | src/main.ts | config.yaml | app.py | Dockerfile | tests/login.test.js |
  notes.txt | src/server/routes.go | index.html | Makefile | .env.example | lib/parser.rs |
  docs/setup.md
`)

const errands = splitList(`
  read the file FILE and tell me its version | show me FILE | open FILE | what is in FILE? |
  list the files here | run the tests | run the linter | delete FILE | rename FILE to old-FILE |
  what branch am I on? | git status | commit this | push it | which directory are we in? |
  create an empty file called FILE | how many lines has FILE? | show the last commit |
  install the dependencies | start the server | stop the server | print the current date |
  what time is it? | what day is it today? | find FILE | does FILE exist? |
  print the first ten lines of FILE | remind me to call mum at five | set a timer for 10 minutes |
  turn on the lights | what is the weather in Paris? | play some music | tell me a joke |
  say hello to my team | what is 2 + 2? | what is 12 * 3? | is 7 odd or even? | fix the typo in FILE |
  add a newline at the end of FILE | bump the version in FILE | what colour is the sky?
`)

const translations = splitList(`
  translate 'PHRASE' to LANGUAGE | how do you say "PHRASE" in LANGUAGE? | PHRASE in LANGUAGE |
  LANGUAGE word for PHRASE | what is "PHRASE" in LANGUAGE? | translate to LANGUAGE: PHRASE
`)

const programs = splitList(`
  reverses a list | reverses a string | adds two numbers | sorts an array of numbers |
  counts the words of a text | removes duplicates from a list | finds the largest number in a list |
  checks whether a word is a palindrome | reads a CSV file | prints the first n Fibonacci numbers |
  computes a factorial | converts Celsius to Fahrenheit | merges two dictionaries | flattens a list |
  downloads a page | parses a date | validates an e-mail address | finds the longest word |
  counts how often each letter occurs | checks whether a year is a leap year | shuffles a deck of cards |
  swaps two variables | renames all files of a folder | splits a list into chunks of n
`)

const codeLanguages = splitList(`
  python | javascript | typescript | go | rust | java | c++ | bash | ruby | php | c# | kotlin
`)

const codingErrands = splitList(`
  write a CODE function that PROGRAM | write CODE code which PROGRAM | a CODE function that PROGRAM |
  give me a CODE snippet that PROGRAM | can you write a CODE script that PROGRAM? |
  write a small function in CODE, it PROGRAM
`)

/** An instruction to think hard raises the tier of its request by one, not to the highest. */
const flourishes = splitList(`
  prove this step by step | think step by step | prove it | explain your reasoning step by step |
  reason carefully | show each step | think hard about it | be thorough
`)

const trivial = splitList(`
  hi | hello | what is 2 + 2? | what is 3 + 5? | what colour is the sky? | what is the capital of Italy? |
  thanks | how many days are in a week? | is 4 even? | what is 10 - 7? | translate 'cat' to Spanish |
  who wrote Hamlet? | what does CPU stand for? | spell "banana" | what is the opposite of hot? |
  name a fruit | what day comes after Monday?
`)

const seed = 11

/** Returns the same rows at every call. */
export function syntheticAsks(): Row[] {
  const random = seededRandom(seed)
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
  const rows: Row[] = []
  const add = (tier: Tier, prompt: string): void => {
    const key = createHash('sha256').update(prompt.toLowerCase()).digest('hex').slice(0, 12)
    rows.push({
      source: syntheticSource,
      id: String(rows.length),
      prompt,
      labels: {},
      key,
      tier,
      ...nothingElse,
    })
  }
  for (const opener of openers)
    for (const ask of [opener, `${opener}!`, `${opener}, ${pick(openers)}`, `${pick(openers)}. ${opener}`])
      add('SIMPLE', ask)
  for (let round = 0; round < 6; round++) {
    for (const errand of errands) add('SIMPLE', errand.replaceAll('FILE', pick(files)))
    for (const template of translations)
      add('SIMPLE', template.replace('PHRASE', pick(phrases)).replace('LANGUAGE', pick(languages)))
    for (const template of codingErrands)
      for (let time = 0; time < 9; time++)
        add('MEDIUM', template.replace('CODE', pick(codeLanguages)).replace('PROGRAM', pick(programs)))
    for (const ask of trivial) {
      add('SIMPLE', ask)
      add('MEDIUM', random() < 0.5 ? `${ask} ${pick(flourishes)}` : `${pick(flourishes)}: ${ask}`)
    }
    add('SIMPLE', `${pick(openers)}, ${pick(openers)}`)
  }
  return rows
}

const nothingElse = { language: undefined, domain: undefined, contaminated: false }
