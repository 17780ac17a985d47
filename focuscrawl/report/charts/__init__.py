"""Pictures of a crawl as plain figures, which templates draw: curves, bars, trees and the shape of the web."""
