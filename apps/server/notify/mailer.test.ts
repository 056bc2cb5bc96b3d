import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { expect, test } from 'vitest'
import { openMailer } from './mailer.ts'

test('no letter is sent to an address that becomes several, or another one, in a header', async () => {
  const smtp = new SmtpServer()
  const port = await smtp.listen()
  const from = { name: 'Gateway', address: 'alerts@gateway.test' }
  const mailer = openMailer({ host: '127.0.0.1', port, tls: 'none', login: null, from })
  const letter = {
    messageId: '1@gateway.test',
    subject: 'Credit is low',
    paragraphs: ['It is.'],
    link: { text: 'Open the dashboard', url: 'https://gateway.test/' },
  }
  for (const to of [
    'eve,victim@example.com',
    'eve;victim@example.com',
    '"eve"@example.com',
    'a@b\r\nbcc: c@d',
  ])
    await expect(mailer.send({ ...letter, to })).rejects.toThrow('no mail can be sent')
  await mailer.send({ ...letter, to: 'ada+top.ups@example.com' })
  expect(smtp.letters.map(({ to }) => to)).toEqual([['ada+top.ups@example.com']])
  await smtp.close()
})
