// Counts the segments of texts with Twilio's own calculator: segments.mjs FOLDER. Reads a JSON list of texts from
// standard input, and writes a list of `{encoding, count}`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { SegmentedMessage } = createRequire(`${process.argv[2]}/`)("sms-segments-calculator");
const counted = JSON.parse(readFileSync(0, "utf8")).map((text) => {
  const message = new SegmentedMessage(text, "auto", false);
  return { encoding: message.encodingName, count: message.segmentsCount };
});
process.stdout.write(JSON.stringify(counted));
