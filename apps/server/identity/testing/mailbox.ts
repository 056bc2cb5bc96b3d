import { SmtpServer, type Letter } from '@turnpike/simulators/mail/smtp-server'
import { expect } from 'vitest'
import { plainText, subjectOf } from '../../notify/testing/plain-text.ts'

/** A mail server for tests, and the mail of its addresses. */
export class Mailboxes {
  readonly smtp = new SmtpServer()

  /** The settings for the configuration. */
  async settings() {
    await this.smtp.listen()
    return { smtp: this.smtp.settings, from: 'turnpike@gateway.test' }
  }

  of(email: string): Letter[] {
    return this.smtp.letters.filter(({ to }) => to.includes(email))
  }

  /** The newest letter with this subject, once this many have arrived. */
  async letter(email: string, subject: RegExp, count = 1): Promise<{ text: string; letter: Letter }> {
    const found = () => this.of(email).filter((letter) => subject.test(subjectOf(letter)))
    await expect.poll(() => found().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
    const letter = found().at(-1)!
    return { letter, text: plainText(letter.body) }
  }

  /** The fragment of the letter's link, after the `#`. */
  async code(email: string, subject: RegExp, count = 1): Promise<string> {
    const { text } = await this.letter(email, subject, count)
    return /\/(?:verify-email|new-password|join)#([\w-]{43})\b/.exec(text)![1]!
  }
}
