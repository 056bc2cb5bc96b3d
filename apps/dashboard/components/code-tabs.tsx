import { Tabs } from '@mantine/core'
import { CodeBlock } from './code-block.tsx'

interface CodeTabsProps<Language extends string> {
  /** What the code does, for screen readers: "Messages". */
  label: string
  /** By language, in the order of the tabs. */
  code: Record<Language, string>
}

/** The same code in several languages. */
export function CodeTabs<Language extends string>({ label, code }: CodeTabsProps<Language>) {
  const languages = Object.keys(code) as Language[]
  return (
    <Tabs defaultValue={languages[0]}>
      <Tabs.List>
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <CodeBlock code={code[language]} label={`${label} in ${language}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
