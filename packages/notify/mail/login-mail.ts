import type { MailText } from './mail.ts'

/** The content of a mail about a person's sign-in. */
export type LoginWords =
  | {
      /**
       * `verify`: to somebody who has just registered; `change`: to the address that a user wants to change
       * to; `password`: to a verified address; `claim`: to an address that is not verified.
       */
      kind: 'verify' | 'change' | 'password' | 'claim'
      url: string
      expiresAtMs: number
    }
  /** To the previous address. */
  | { kind: 'changing'; newEmail: string; settingsUrl: string }

/** A stranger may have requested the mail, so it says that its reader need not do anything. */
export function loginMail(words: LoginWords): MailText {
  if (words.kind === 'changing') return changingMail(words)
  const { kind, url, expiresAtMs } = words
  const host = new URL(url).hostname
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const goodUntil = `The link works once, until ${until}.`
  const stranger = 'If this was not you, ignore this email: nothing has changed.'
  switch (kind) {
    case 'verify':
      return {
        subject: `Verify your email address (${host})`,
        paragraphs: [
          `Somebody created an account at ${host} with this email address.`,
          `If this was you, open the link and sign in with the password you chose. ${goodUntil}`,
          'If this was not you, ignore this email: the account gets no rights from this address. If you ' +
            'want an account of your own, choose "Forgot your password?" there.',
        ],
        link: { text: 'Verify this email address', url },
      }
    case 'change':
      return {
        subject: `Confirm your new email address (${host})`,
        paragraphs: [
          `Somebody asked to use this email address to sign in at ${host}.`,
          `If this was you, open the link in a browser where you are signed in. ${goodUntil}`,
          stranger,
        ],
        link: { text: 'Use this email address', url },
      }
    case 'password':
      return {
        subject: `Reset your password (${host})`,
        paragraphs: [
          `Somebody asked to reset the password of your account at ${host}.`,
          `If this was you, open the link. ${goodUntil} A new password signs you out everywhere: ` +
            'browsers, command lines, devices and apps. API keys keep working.',
          `${stranger} Your password stays the same.`,
        ],
        link: { text: 'Choose a new password', url },
      }
    case 'claim':
      return {
        subject: `Set a password for this email address (${host})`,
        paragraphs: [
          `Somebody asked to reset the password of the account with this email address at ${host}. The ` +
            'address of that account was never verified.',
          `With this link you create a new account with this address. ${goodUntil} The account that ` +
            'used the address before keeps everything else, but loses the address.',
          'If that account is yours and you know its password, sign in and verify the address in the ' +
            `settings instead. ${stranger}`,
        ],
        link: { text: 'Create an account with this address', url },
      }
  }
}

function changingMail({ newEmail, settingsUrl }: { newEmail: string; settingsUrl: string }): MailText {
  const host = new URL(settingsUrl).hostname
  return {
    subject: `Your email address is about to change (${host})`,
    paragraphs: [
      `Somebody who knows your password asked to change your sign-in email at ${host} to ${newEmail}. It ` +
        'changes when the link that we sent to that address is opened.',
      'If this was not you, change your password now. That cancels the change.',
    ],
    link: { text: 'Open the settings', url: settingsUrl },
  }
}
