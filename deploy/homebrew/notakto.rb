# .ci/release writes notakto.rb with the words in capitals replaced.
class Notakto < Formula
  desc "Server on which people play Notakto by SSH"
  homepage "HOMEPAGE"
  version "VERSION"
  license "MIT"

  on_macos do
    on_arm do
      url "HOMEPAGE/releases/download/v#{version}/notakto-#{version}-darwin-arm64.tar.gz"
      sha256 "SHA256-darwin-arm64"
    end
    on_intel do
      url "HOMEPAGE/releases/download/v#{version}/notakto-#{version}-darwin-amd64.tar.gz"
      sha256 "SHA256-darwin-amd64"
    end
  end
  on_linux do
    on_arm do
      url "HOMEPAGE/releases/download/v#{version}/notakto-#{version}-linux-arm64.tar.gz"
      sha256 "SHA256-linux-arm64"
    end
    on_intel do
      url "HOMEPAGE/releases/download/v#{version}/notakto-#{version}-linux-amd64.tar.gz"
      sha256 "SHA256-linux-amd64"
    end
  end

  def install
    bin.install "notakto"
    man1.install "notakto.1"
    bash_completion.install "completions/bash" => "notakto"
    fish_completion.install "completions/fish" => "notakto.fish"
    zsh_completion.install "completions/zsh" => "_notakto"
    doc.install Dir["docs/*"], "README.md"
  end

  service do
    run [opt_bin/"notakto", "serve", "--data", var/"notakto"]
    keep_alive true
    log_path var/"log/notakto.log"
    error_log_path var/"log/notakto.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/notakto version")
  end
end
