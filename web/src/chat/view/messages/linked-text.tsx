import { linkParts } from '../../model/links.ts'

/** A text of somebody else with its links. The other page learns neither that we are here nor gets hold of ours. */
export const linkedText = (text: string) =>
  linkParts(text).map((part, at) =>
    part.link === undefined ? (
      part.text
    ) : (
      // The parts of a text never change places.
      <a
        key={at}
        className="c-anchor"
        dir="ltr"
        translate="no"
        href={part.link}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
      >
        {part.text}
        {part.host && <span className="c-host"> ({part.host})</span>}
      </a>
    ),
  )
