import { expect, test } from 'vitest'
import { html } from './html.ts'
import { errorPage } from './messages.ts'
import { page } from './page.ts'

test('escapes values, unless they are HTML already', () => {
  const bad = `<script>"&'</script>`
  const safe = '&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;'
  expect(html`<p title="${bad}">${html`<b>${bad}</b>`}${undefined}${3}</p>`.text).toBe(
    `<p title="${safe}"><b>${safe}</b>3</p>`,
  )
  expect(errorPage(400, bad, { error: bad, description: bad }).body).not.toContain('<script>')
})

test('a page loads nothing from elsewhere, runs no script, and leads only to the listed places', () => {
  const { headers, body } = page({ title: 'x', body: html``, leadsTo: ['http://127.0.0.1:7777'] })
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' http://127.0.0.1:7777; " +
      "frame-ancestors 'none'; base-uri 'none'",
  )
  expect(body).not.toMatch(/<script|<style|https?:|\son\w+=/)
})
