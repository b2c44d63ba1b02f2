// Loaded with --import before every command, in plain JavaScript, because an old Node cannot read the
// TypeScript that would complain. Node 24 arrives through npm on Linux; elsewhere the machine's own serves.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Ewebal runs on Node 22.18 or newer, and this is ${process.version}.\n` +
      `Run \`npm ci\` and start it with \`npm start\`: on Linux that brings Node 24 along.\n`,
  );
  process.exit(1);
}
