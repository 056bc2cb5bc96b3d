import type { MailText } from './mail.ts'

/** What a mail about somebody's sign-in tells. */
export type LoginWords =
  | {
      /**
       * `verify`: to who has registered; `change`: to the address that somebody wants to have; `password`: of
       * a verified address; `claim`: of one that nobody has verified.
       */
      kind: 'verify' | 'change' | 'password' | 'claim'
      url: string
      expiresAtMs: number
    }
  /** To the address of until now. */
  | { kind: 'changing'; newEmail: string; settingsUrl: string }

/** Whoever asked for it may be a stranger: it says what to do then, which is nothing. */
export function loginMail(words: LoginWords): MailText {
  if (words.kind === 'changing') return changingMail(words)
  const { kind, url, expiresAtMs } = words
  const host = new URL(url).hostname
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const goodUntil = `The link is good until ${until}, once.`
  const stranger = 'If it was not you, do nothing: nothing has changed.'
  switch (kind) {
    case 'verify':
      return {
        subject: `Is this your address? (${host})`,
        paragraphs: [
          `Somebody has made an account at ${host} with this address.`,
          `If it was you, open the link, and sign in with the password that you chose. ${goodUntil}`,
          'If it was not you, do nothing: the account has no right by this address then. Should you want ' +
            'one of your own, choose "Forgot your password?" there.',
        ],
        link: { text: 'Verify this address', url },
      }
    case 'change':
      return {
        subject: `Is this your new address? (${host})`,
        paragraphs: [
          `Somebody wants to sign in with this address at ${host} from now on.`,
          `If it was you, open the link where you are signed in. ${goodUntil}`,
          stranger,
        ],
        link: { text: 'Use this address', url },
      }
    case 'password':
      return {
        subject: `A new password (${host})`,
        paragraphs: [
          `Somebody has asked for a new password of your account at ${host}.`,
          `If it was you, open the link. ${goodUntil} All sessions end with it: browsers, command lines, ` +
            'devices and apps. API keys go on.',
          `${stranger} Your password holds.`,
        ],
        link: { text: 'Choose a new password', url },
      }
    case 'claim':
      return {
        subject: `A password for this address (${host})`,
        paragraphs: [
          `Somebody has asked for a new password of the account with this address at ${host}. Nobody has ` +
            'shown yet that the address is theirs.',
          `With this link you make a new account, which has this address. ${goodUntil} The account that ` +
            'was registered with it before keeps what it has, without the address.',
          'If that is yours, and you know its password, sign in and verify the address in the settings ' +
            `instead. ${stranger}`,
        ],
        link: { text: 'Make an account with this address', url },
      }
  }
}

function changingMail({ newEmail, settingsUrl }: { newEmail: string; settingsUrl: string }): MailText {
  const host = new URL(settingsUrl).hostname
  return {
    subject: `Your address is about to change (${host})`,
    paragraphs: [
      `Somebody who knows your password wants to sign in at ${host} with ${newEmail} from now on. It ` +
        'changes once the link is opened that was sent there.',
      'If it was not you, change your password now: that ends it.',
    ],
    link: { text: 'Open the settings', url: settingsUrl },
  }
}
