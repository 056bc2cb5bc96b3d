import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { Fragment, memo, useMemo, type ReactNode } from 'react'
import { AnswerCode } from './answer-code.tsx'
import classes from './markdown.module.css'
import { safeAddress } from './safe-address.ts'

/*
 * Renders a model's Markdown. It is parsed into tokens, and each token becomes a React element: no HTML of
 * a model becomes part of the page, and nothing is loaded from other sites.
 */

/** Deeper than anybody writes; deeper content is shown as source text. */
const maxDepth = 24

export default function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => parseMarkdown(text), [text])
  if (tokens === undefined) return <p className={classes.plain}>{text}</p>
  return (
    <div className={classes.markdown}>
      {withLevels(tokens).map(([token, level], index) => (
        <Block key={index} token={token} level={level} />
      ))}
    </div>
  )
}

/** Undefined if it is nested deeper than the parser can handle. */
function parseMarkdown(text: string): Token[] | undefined {
  try {
    return new Lexer({ gfm: true }).lex(text)
  } catch {
    return undefined
  }
}

/** Memoized: while an answer grows, its finished blocks are not drawn again. */
const Block = memo(
  ({ token, level }: { token: Token; level: number }) =>
    token.type === 'heading' ? (
      <Heading level={level}>{all(token.tokens, 0)}</Heading>
    ) : (
      renderToken(token, 0)
    ),
  (before, after) =>
    before.token.type === after.token.type &&
    before.token.raw === after.token.raw &&
    before.level === after.level,
)
Block.displayName = 'Block'

function all(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) => <Fragment key={index}>{renderToken(token, depth + 1)}</Fragment>)
}

function renderToken(any: Token, depth: number): ReactNode {
  if (depth > maxDepth) return any.raw
  // Only tokens of the parser itself occur: no extension is installed.
  const token = any as MarkedToken
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    case 'heading':
      // A heading inside another element is no part of the page's outline.
      return (
        <p>
          <strong>{all(token.tokens, depth)}</strong>
        </p>
      )
    case 'paragraph':
      return <p>{all(token.tokens, depth)}</p>
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? all(token.tokens, depth) : token.text
    case 'code':
      return <AnswerCode code={token.text} language={token.lang ?? ''} />
    case 'blockquote':
      return <blockquote>{all(token.tokens, depth)}</blockquote>
    case 'list':
      return <List token={token} depth={depth} />
    case 'table':
      return <Table token={token} depth={depth} />
    case 'hr':
      return <hr />
    case 'strong':
      return <strong>{all(token.tokens, depth)}</strong>
    case 'em':
      return <em>{all(token.tokens, depth)}</em>
    case 'del':
      return <del>{all(token.tokens, depth)}</del>
    case 'codespan':
      return <code className={classes.inline}>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link address={token.href}>{all(token.tokens, depth)}</Link>
    case 'image':
      return <Link address={token.href}>{token.text === '' ? token.href : token.text}</Link>
    case 'escape':
      return token.text
    default:
      // HTML, which is shown as source text.
      return any.raw
  }
}

/** The level of the heading above each answer. */
const answerLevel = 2
const lastLevel = 6

/**
 * Pairs each token with its level as a heading. A level is at most one below the previous one, so that none
 * is skipped.
 */
function withLevels(tokens: readonly Token[]): [Token, number][] {
  let before = answerLevel
  return tokens.map((token) => {
    if (token.type === 'heading')
      before = Math.min(answerLevel + (token as Tokens.Heading).depth, before + 1, lastLevel)
    return [token, before]
  })
}

function Heading({ level, children }: { level: number; children: ReactNode }) {
  const Tag = `h${level as 3 | 4 | 5 | 6}` as const
  return <Tag>{children}</Tag>
}

function List({ token, depth }: { token: Tokens.List; depth: number }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label="Task" />
      )}
      {all(item.tokens, depth)}
    </li>
  ))
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>
}

function Table({ token, depth }: { token: Tokens.Table; depth: number }) {
  const cell = (Tag: 'th' | 'td') => (one: Tokens.TableCell, index: number) => (
    <Tag key={index} data-align={one.align ?? undefined}>
      {all(one.tokens, depth)}
    </Tag>
  )
  return (
    // It scrolls sideways, so the keyboard must be able to reach it (WCAG 2.1.1).
    <div className={classes.scroll} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>{token.header.map(cell('th'))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map(cell('td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shows the target's address: the model may have written anything as the link's text. */
function Link({ address, children }: { address: string; children: ReactNode }) {
  const href = safeAddress(address)
  if (href === undefined) return <>{children}</>
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
