import { html, isMailable } from '@turnpike/identity'
import type { MailText } from '@turnpike/notify'
import type { Configuration } from '../configuration/configuration.ts'

const connectMs = 10_000
/** How long the mail server may be silent. */
const silentMs = 15_000

type MailSettings = NonNullable<Configuration['mail']>

export interface Letter extends MailText {
  to: string
  /** The same for all attempts to send the letter: `<dlv_…@host>`, without the brackets. */
  messageId: string
}

/** Sends mail through the configured mail server. */
export interface Mailer {
  /**
   * @throws {Error} the mail server did not accept it; the message reveals nothing of the internal network
   */
  send(letter: Letter): Promise<void>
}

/** Opens one connection per letter, because alerts are few. */
export function openMailer(settings: MailSettings): Mailer {
  const { host, port, tls, login, from } = settings
  return {
    async send({ to, messageId, ...text }) {
      // In a header, such an address would become several, or a different one.
      if (!isMailable(to)) throw new Error('no mail can be sent to this address')
      // Loaded with the first letter, not at the start.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host,
        port,
        secure: tls === 'implicit',
        requireTLS: tls === 'starttls',
        ignoreTLS: tls === 'none',
        ...(login !== null && { auth: { user: login.user, pass: login.password } }),
        connectionTimeout: connectMs,
        greetingTimeout: connectMs,
        socketTimeout: silentMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      try {
        await transport.sendMail({
          from,
          // An object is not parsed as a list of addresses.
          to: { name: '', address: to },
          subject: text.subject,
          messageId: `<${messageId}>`,
          // RFC 3834: out-of-office replies do not respond to it.
          headers: { 'auto-submitted': 'auto-generated', ...unsubscribeHeaders(text) },
          ...bodyOf(text),
        })
      } catch (cause) {
        throw new Error(reasonOf(cause), { cause })
      } finally {
        transport.close()
      }
    },
  }
}

/** RFC 2369 and RFC 8058: mail programs show an unsubscribe button. */
function unsubscribeHeaders({ ending }: MailText): Record<string, string> {
  if (ending === undefined) return {}
  return {
    'list-unsubscribe': `<${ending.unsubscribe.url}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  }
}

function bodyOf({ paragraphs, link, ending }: MailText): { text: string; html: string } {
  const below = ending === undefined ? [] : [ending.settings, ending.unsubscribe]
  const lines = below.map((one) => `${one.text}: ${one.url}`).join('\n')
  const text = [...paragraphs, `${link.text}: ${link.url}`, ...(lines === '' ? [] : [lines])].join('\n\n')
  const rich = html`${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    <p><a href="${link.url}">${link.text}</a></p>
    ${below.map(
      (one) =>
        html`<p>
          <small><a href="${one.url}">${one.text}</a></small>
        </p>`,
    )}`
  return { text: `${text}\n`, html: rich.text }
}

/** An SMTP error contains the server's reply. */
function reasonOf(error: unknown): string {
  const { responseCode } = error as { responseCode?: unknown }
  return typeof responseCode === 'number'
    ? `the mail server rejected it (${responseCode})`
    : 'the mail server did not accept it'
}
